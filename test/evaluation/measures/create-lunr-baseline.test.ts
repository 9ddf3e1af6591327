import { expect, it } from "@jest/globals";
import lunr from "lunr";
import { createLunrBaseline } from "../../../src/evaluation/measures/baselines.ts";

const FILES: Readonly<Record<string, string>> = {
  "money.js": "export function round(cents) { return Math.round(cents); } // rounding-mode of cents",
  "readme.md": "The shop rounds cents half to even; see money. Rounding is done once.",
  "till.js": "import { round } from './money.js';\nexport const total = (items) => round(items);",
  "empty.js": "",
};
const QUERY = "Rounding of cents: round() gives wrong cents";

it("ranks as lunr does when nothing is configured", () => {
  const index = lunr((builder) => {
    builder.ref("path");
    builder.field("text");
    for (const [path, text] of Object.entries(FILES)) builder.add({ path, text });
  });
  const theirs = index.search(QUERY.replace(/[:~^*+-]/g, " ")).map(({ ref }) => ref);
  const ranking = createLunrBaseline()(QUERY);
  for (const [path, text] of Object.entries(FILES)) ranking.add(path, text);
  expect(theirs).toHaveLength(3);
  expect(ranking.ranked()).toEqual(theirs);
});
