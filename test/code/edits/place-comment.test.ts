import { describe, expect, it } from "@jest/globals";
import { diffLines, unifiedDiff } from "../../../src/code/edits/diff.ts";
import { splitLines } from "../../../src/code/edits/text-file.ts";
import { placeComment } from "../../../src/publish/review.ts";
import { fc } from "../../seeded.ts";
import { versions } from "./versions.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "utf8"));
const diffOf = (before: string, after: string) => unifiedDiff("a", bytes(before), bytes(after));
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}\n`).join("");

function placeIn(diff: string | undefined, line?: number) {
  return placeComment(line === undefined ? { path: "a" } : { path: "a", line }, new Map([["a", diff]]));
}

describe("diffLines", () => {
  it("lists shown, added and removed lines of each hunk", () => {
    const after = numbers(30).replace("2\n", "2\nnew\n").replace("20\n", "");
    expect(diffLines(diffOf(numbers(30), after))).toEqual([
      { shown: [1, 2, 3, 4, 5, 6], added: [3], nextToRemoved: [] },
      { shown: [18, 19, 20, 21, 22, 23], added: [], nextToRemoved: [21] },
    ]);
  });

  it("reads a patch without a header, and lines that look like one", () => {
    expect(diffLines("@@ -1 +1,2 @@ def f():\n--- a\n+++ b\n+@@ -1 +1 @@")).toEqual([
      { shown: [1, 2], added: [1, 2], nextToRemoved: [] },
    ]);
  });

  it("lists exactly the added lines, and shows only lines that exist", () => {
    fc.assert(
      fc.property(versions(), ([before, after]) => {
        const lines = after.includes("\n") ? splitLines(after) : [after];
        const diff = diffOf(before, after);
        const found = diffLines(diff).flatMap(({ added }) =>
          added.map((line) => `+${lines[line - 1]?.replace(/\n$/, "")}`),
        );
        const [, ...written] = diff.split("\n").filter((line) => line.startsWith("+"));
        expect(found).toEqual(written);
        for (const { shown } of diffLines(diff)) for (const line of shown) expect(lines[line - 1]).toBeDefined();
      }),
    );
  });
});

describe("placeComment", () => {
  const diff = diffOf(numbers(40), numbers(40).replace("10\n", "ten\n").replace("31\n", ""));

  it.each<[string, number | undefined, object]>([
    ["an added line", 10, { path: "a", line: 10, side: "RIGHT" }],
    ["a context line", 13, { path: "a", line: 13, side: "RIGHT" }],
    ["a line before the hunk: the nearest added", 1, { path: "a", line: 10, side: "RIGHT" }],
    ["a line between hunks", 18, { path: "a", line: 10, side: "RIGHT" }],
    ["a line nearer to a removal: beside it", 25, { path: "a", line: 31, side: "RIGHT" }],
    ["a line beyond the file", 900, { path: "a", line: 31, side: "RIGHT" }],
    ["no line", undefined, { path: "a", file: true }],
  ])("puts a comment on %s", (_name, line, expected) => {
    expect(placeIn(diff, line)).toEqual(expected);
  });

  it("puts it on the file when the diff shows no line of the new version", () => {
    expect(placeIn(unifiedDiff("a", bytes("x\n"), undefined), 1)).toEqual({ path: "a", file: true });
    expect(placeIn(unifiedDiff("a", bytes("x"), new Uint8Array([0])), 1)).toEqual({ path: "a", file: true });
    expect(placeIn(undefined, 1)).toEqual({ path: "a", file: true });
    expect(placeIn(diffOf("x\n", ""), 1)).toEqual({ path: "a", file: true });
  });

  it("puts it beside lines removed at the end of a file", () => {
    expect(placeIn(diffOf(numbers(9), numbers(7)), 1)).toEqual({ path: "a", line: 7, side: "RIGHT" });
  });

  it("finds no place in an unchanged file", () => {
    expect(placeComment({ path: "b", line: 1 }, new Map([["a", diff]]))).toBeUndefined();
  });

  it("never names a line that the diff does not show", () => {
    fc.assert(
      fc.property(versions(), fc.integer({ min: 1, max: 30 }), ([before, after], line) => {
        const made = diffOf(before, after);
        const place = placeIn(made, line);
        if (place === undefined || !("line" in place)) return;
        expect(diffLines(made).flatMap(({ shown }) => shown)).toContain(place.line);
      }),
    );
  });
});
