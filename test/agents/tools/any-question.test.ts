import { describe, expect, it } from "@jest/globals";
import { fc } from "../../seeded.ts";
import { makeTools } from "./make-tools.ts";

const method = (name: string, length: number) => `    def ${name}(self):\n${"        step()\n".repeat(length)}`;
const FILES: Readonly<Record<string, string>> = {
  "src/a.py": `class Get:\n${["get", "put", "get", "Get"].map((name) => method(name, 30)).join("")}`,
  "src/b.py": `class Put:\n${Array.from({ length: 9 }, () => method("get", 90)).join("")}`,
  "src/deep/wide.js": `function get() {\n  return "${"x".repeat(50_000)}";\n}\n`,
  "src/deep/put.ts": "export class put {\n  get() {\n    return 1;\n  }\n}\n",
  "docs/[id].md": "get\n".repeat(900),
  "empty.txt": "",
};

const SEEN = new Map([["src/a.py", new Set([2, 3, 4, 5, 6, 40])]]);

/** Few enough lines are shown again: see `FEW` of the tool. */
const FEW = 3;

/** Words beside the lines: of each place a head, a sentence about what is not shown and names. */
const WORDS = 700;

/** Without what looks like a row of an answer. */
const anything = fc.string({ maxLength: 12 }).filter((text) => !text.includes("|"));

const path = fc.oneof(
  fc.constantFrom(...Object.keys(FILES), "", ".", "src", "src/", "nowhere", "../src", "src/*", "src/*.{py,ts}"),
  fc
    .tuple(fc.constantFrom("./", "/", "", "\\", "a/../"), fc.constantFrom(...Object.keys(FILES)))
    .map((parts) => parts.join("")),
  anything,
);
const symbol = fc.oneof(
  fc.constantFrom("get", "Get", "put.get", "Get.get", "src.put", "(*Put).get", "get<T>()", "wide::get", ""),
  anything,
);
const line = fc.integer({ min: -2, max: 900 });
const place = fc.record({ path, symbol, start: line, end: line }, { requiredKeys: [] });

/** The lines of files that an answer shows, as `path:line`, each with its text. */
function rowsOf(answer: string): { at: string; text: string; real: string | undefined }[] {
  let shown = "";
  return answer.split("\n").flatMap((row) => {
    shown = /^(.*) \(\d+ (?:lines?|files?)\)$/.exec(row)?.[1] ?? shown;
    const [, number, text = ""] = /^(\d+)\|(.*)$/.exec(row) ?? [];
    const lines = FILES[shown]?.split("\n");
    return number && lines ? [{ at: `${shown}:${number}`, text, real: lines[Number(number) - 1] }] : [];
  });
}

describe("whatever is read", () => {
  it("is shown as it stands, once, within the room", async () => {
    const question = fc.record({
      places: fc.array(place, { minLength: 1, maxLength: 8 }),
      room: fc.constantFrom(1_000, 5_000, 20_000),
    });
    await fc.assert(
      fc.asyncProperty(question, async ({ places, room }) => {
        const { ask } = makeTools(FILES, { readCharacters: room, seen: SEEN });
        const answer = await ask("read", { places });
        const rows = rowsOf(answer);
        for (const { text, real } of rows)
          expect(real?.startsWith(text.replace(/… \[\d+ more characters\]$/, ""))).toBe(true);
        const ats = rows.map(({ at }) => at);
        expect(ats.length - new Set(ats).size).toBeLessThanOrEqual(FEW * places.length);
        expect(answer.trim()).not.toBe("");
        expect(answer.length).toBeLessThanOrEqual(room + WORDS * places.length);
      }),
      { numRuns: 150 },
    );
  });
});
