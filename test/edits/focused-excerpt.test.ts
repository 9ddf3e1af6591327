import { describe, expect, it } from "@jest/globals";
import { focusedExcerpt } from "../../src/edits/focused-excerpt.ts";
import { numbersIn } from "../../src/edits/numbered.ts";
import { nearPaths } from "../../src/workflow/strategy/lean/plan.ts";

const lines = Array.from({ length: 200 }, (_, at) => `line ${at + 1};\n`);
const none = lines.map(() => 0);
const scored = (...at: number[]) => lines.map((_, index) => (at.includes(index + 1) ? 1 : 0));

describe("focusedExcerpt", () => {
  it("shows a file that fits whole, with line numbers", () => {
    expect(focusedExcerpt(["a\n", "b\n"], { scores: [0, 0], budget: 100 })).toEqual({
      text: "1|a\n2|b",
      whole: true,
    });
  });

  it("shows the best lines with their surroundings, and marks gaps", () => {
    const { text, whole } = focusedExcerpt(lines, { scores: scored(100), budget: 600 });
    expect(whole).toBe(false);
    expect(numbersIn(text)).toEqual(Array.from({ length: 17 }, (_, at) => 92 + at));
    expect(text.startsWith("⋮\n") && text.endsWith("\n⋮")).toBe(true);
  });

  it("shows the whole declaration around a line, and no lone first lines of others", () => {
    const declarations = [
      { start: 10, end: 30 },
      { start: 90, end: 110 },
      { start: 150, end: 160 },
    ];
    const found = numbersIn(focusedExcerpt(lines, { scores: scored(100), declarations, budget: 800 }).text);
    expect(found).toEqual(Array.from({ length: 21 }, (_, at) => 90 + at));
  });

  it("shows the first line of a long declaration, and the best line with its surroundings", () => {
    const declarations = [{ start: 20, end: 190 }];
    const found = numbersIn(focusedExcerpt(lines, { scores: scored(100), declarations, budget: 600 }).text);
    expect(found).toEqual([20, ...Array.from({ length: 17 }, (_, at) => 92 + at)]);
  });

  it("shows a long declaration whole when it holds several of the best lines, but not a very long one", () => {
    const found = (end: number) =>
      numbersIn(
        focusedExcerpt([...lines, ...lines], {
          scores: scored(30, 130),
          declarations: [{ start: 20, end }],
          budget: 5_000,
        }).text,
      );
    expect(found(180)).toEqual(Array.from({ length: 161 }, (_, at) => 20 + at));
    expect(found(300)).not.toContain(80);
  });

  it("leaves out lines with low scores", () => {
    const scores = lines.map(
      (_, index) =>
        new Map([
          [99, 10],
          [9, 1],
        ]).get(index) ?? 0,
    );
    expect(numbersIn(focusedExcerpt(lines, { scores, budget: 2_000 }).text)).not.toContain(10);
  });

  it.each([
    ["Python", "def f(a):", '    """', "        a: a parameter", '    """'],
    ["a doc comment", "function f(a) {", "  /**", "   * a: a parameter", "   */"],
    ["line comments", "func f(a int) {", "\t// about a", "\t// a: a parameter", "\t// the end"],
  ])("prefers code to the comment on it when the wanted lines are too long: %s", (_name, first, begin, word, end) => {
    const code = Array.from({ length: 40 }, (_, at) => `    step(${at})\n`);
    const text = [first, begin, ...Array(300).fill(word), end].map((line) => `${line}\n`);
    const all = [...text, ...code, ...lines];
    const wanted = [{ start: 1, end: text.length + code.length }];
    const excerpt = focusedExcerpt(all, { wanted, scores: [], budget: 1_500 }).text;
    expect(excerpt).toContain(first);
    for (const line of code) expect(excerpt).toContain(line.trim());
  });

  it("shows the beginning and the best lines when the wanted lines are too long", () => {
    const found = numbersIn(
      focusedExcerpt(lines, { wanted: [{ start: 10, end: 190 }], scores: scored(150), budget: 300 }).text,
    );
    expect(found.slice(0, 4)).toEqual([10, 11, 12, 13]);
    for (let at = 144; at <= 156; at++) expect(found).toContain(at);
    expect(found).not.toContain(40);
  });

  it("shows the wanted lines, and nothing else on request", () => {
    const wanted = [{ start: 5, end: 6 }];
    const first = focusedExcerpt(lines, { wanted, scores: scored(100), budget: 700 });
    expect(numbersIn(first.text)).toEqual(expect.arrayContaining([5, 6, 100]));
    const only = focusedExcerpt(lines, { wanted, scores: scored(100), onlyWanted: true, budget: 100_000 });
    expect(numbersIn(only.text)).toEqual([5, 6]);
  });

  it("keeps within its budget, and shows nothing when nothing matters", () => {
    const all = lines.map(() => 1);
    for (const budget of [100, 500, 1500]) {
      expect(focusedExcerpt(lines, { scores: all, budget }).text.length).toBeLessThanOrEqual(budget + 20);
    }
    expect(focusedExcerpt(lines, { scores: none, budget: 500 }).text).toBe("⋮");
  });
});

describe("nearPaths", () => {
  it("finds the same file name elsewhere, the nearest folder first", () => {
    const paths = ["lib/parse.js", "src/deep/parse.js", "src/other.js"];
    expect(nearPaths("src/parse.js", paths)).toEqual(["src/deep/parse.js", "lib/parse.js"]);
    expect(nearPaths("src/none.js", paths)).toEqual([]);
  });
});
