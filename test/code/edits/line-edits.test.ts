import { describe, expect, it } from "@jest/globals";
import { lineEditsBetween, mapLine } from "../../../src/code/edits/file-change.ts";
import { replaceIntervals } from "../../../src/code/edits/line-edits.ts";
import type { TextFile } from "../../../src/code/edits/text-file.ts";
import { readText, splitLines } from "../../../src/code/edits/text-file.ts";
import { fc } from "../../seeded.ts";
import { versions } from "./versions.ts";

function fileOf(text: string): TextFile {
  const file = readText(new TextEncoder().encode(text));
  if (file === undefined) throw new Error("binary");
  return file;
}

describe("lineEditsBetween and replaceIntervals", () => {
  it("turn any version into any other", () => {
    fc.assert(
      fc.property(versions(), ([before, after]) => {
        const edits = lineEditsBetween(splitLines(before), splitLines(after));
        const made = replaceIntervals({ ...fileOf(""), lines: splitLines(before) }, edits);
        expect(made.lines).toEqual(splitLines(after));
      }),
      { numRuns: 1500 },
    );
  });

  it("touch only what changed", () => {
    const before = splitLines("a\nb\nc\nd\ne\n");
    expect(lineEditsBetween(before, splitLines("a\nB\nc\nd\nx\ne\n"))).toEqual([
      { start: 2, end: 2, text: "B\n" },
      { start: 5, end: 4, text: "x\n" },
    ]);
    expect(lineEditsBetween(before, before)).toEqual([]);
    expect(lineEditsBetween(before, [])).toEqual([{ start: 1, end: 5, text: "" }]);
  });

  it("replace an entirely different file of many lines", () => {
    const before = Array.from({ length: 20_000 }, (_, index) => `a${index}\n`);
    const after = Array.from({ length: 20_000 }, (_, index) => `b${index}\n`);
    const edits = lineEditsBetween(before, after);
    expect(replaceIntervals({ ...fileOf(""), lines: before }, edits).lines).toEqual(after);
  });

  it("apply edits in any order", () => {
    const edits = [
      { start: 2, end: 1, text: "inserted\n" },
      { start: 4, end: 4, text: "" },
      { start: 2, end: 2, text: "B1\nB2\n" },
    ];
    expect(replaceIntervals(fileOf("a\nb\nc\nd\ne"), edits).lines.join("")).toBe("a\ninserted\nB1\nB2\nc\ne");
  });

  it("refuse intervals that do not fit", () => {
    expect(() => replaceIntervals(fileOf("a\n"), [{ start: 3, end: 3, text: "x\n" }])).toThrow(/starts after the end/);
  });
});

describe("mapLine", () => {
  const before = splitLines("a\nb\nc\nd\ne\n");
  it.each([
    ["a kept line", "x\na\nb\nc\nd\ne\n", 3, 4],
    ["a replaced line", "a\nB\nc\nd\ne\n", 2, 2],
    ["a line replaced by fewer", "a\nX\ne\n", 4, 2],
    ["a removed line to the following one", "a\nc\nd\ne\n", 2, 2],
    ["a removed last line to the new last one", "a\nb\nc\nd\n", 5, 4],
    ["an emptied file", "", 3, 1],
  ])("maps %s", (_name, after, line, expected) => {
    expect(mapLine(before, splitLines(after), line)).toBe(expected);
  });

  it("finds every kept line again", () => {
    fc.assert(
      fc.property(versions(), fc.nat(20), ([before, after], at) => {
        const [old, made] = [splitLines(before), splitLines(after)];
        const line = (at % Math.max(1, old.length)) + 1;
        const mapped = mapLine(old, made, line);
        const touched = lineEditsBetween(old, made).some(({ start, end }) => start <= line && line <= end);
        if (old.length > 0 && !touched) expect(made[mapped - 1]).toBe(old[line - 1]);
        expect(mapped).toBeGreaterThanOrEqual(1);
        expect(mapped).toBeLessThanOrEqual(Math.max(1, made.length));
      }),
    );
  });
});

describe("lineEditsBetween, of texts that have little in common", () => {
  it("gives the new text back", () => {
    const line = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5_000 })).map((n) => `${n}\n`);
    const lines = fc.array(line, { minLength: 400, maxLength: 900 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const edits = lineEditsBetween(before, after);
        const file = { lines: before, encoding: "utf8", eol: "\n", bom: false } as const;
        expect(replaceIntervals(file, edits).lines.join("")).toBe(after.join(""));
      }),
      { numRuns: 30 },
    );
  });

  it("keeps an unchanged function between two rewritten ones", () => {
    const part = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name} ${at}\n`);
    const [before, after] = [
      [...part("old", 700), ...part("kept", 50), ...part("old too", 700)],
      [...part("new", 500), ...part("kept", 50), ...part("new too", 900)],
    ];
    expect(lineEditsBetween(before, after).map(({ start, end }) => [start, end])).toEqual([
      [1, 700],
      [751, 1450],
    ]);
  });
});
