import { expect, it } from "@jest/globals";
import lunr from "lunr";
import { createLunrBaseline, rankByBm25 } from "../../../eval/evaluation/measures/baselines.ts";
import { issueTerms, TokenCache } from "../../../src/search/token-cache.ts";

const FILES: Readonly<Record<string, string>> = {
  "money.js": "export function round(cents) { return Math.round(cents); } // rounding-mode of cents",
  "readme.md": "The shop rounds cents half to even; see money. Rounding is done once.",
  "till.js": "import { round } from './money.js';\nexport const total = (items) => round(items);",
  "empty.js": "",
};
const QUERY = "Rounding of cents: round() gives wrong cents";

it("ranks like lunr with its defaults", () => {
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

it("ranks by BM25 on code tokens, where words are parts of names", () => {
  const cache = new TokenCache();
  const texts = {
    "lib/till.js": "export const total = (items) => sum(items);",
    "lib/money.js": "export function roundCents(amount) { return Math.round(amount); }",
    "lib/empty.js": "",
  };
  const encoder = new TextEncoder();
  for (const [path, text] of Object.entries(texts)) cache.add(path, encoder.encode(text));
  const files = Object.keys(texts).map((path) => ({ path, blob: path }));
  const terms = issueTerms({ title: "rounding of cents in totals", body: "" }).keys();
  expect(rankByBm25(files, cache, terms)).toEqual(["lib/money.js", "lib/till.js"]);
});
