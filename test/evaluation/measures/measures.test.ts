import { describe, expect, it } from "@jest/globals";
import lunr from "lunr";
import { createLunrBaseline, rankByBm25 } from "../../../eval/evaluation/measures/baselines.ts";
import { parsePatch } from "../../../eval/evaluation/measures/patch.ts";
import {
  changedLines,
  complexityOf,
  goldFiles,
  lineLocatingCoverage,
  touchedFunctions,
} from "../../../eval/evaluation/measures/patch-measures.ts";
import { estimateFor, logisticRegression } from "../../../eval/evaluation/measures/statistics.ts";
import { recallCurve, summarise } from "../../../eval/evaluation/measures/totals.ts";
import { issueTerms, TokenCache } from "../../../src/search/token-cache.ts";

/** Changes line 3 of 7, inserts after line 5, in one hunk; in another deletes lines 20 and 21. */
const REFERENCE = `diff --git a/src/a.js b/src/a.js
index 1111111..2222222 100644
--- a/src/a.js
+++ b/src/a.js
@@ -1,7 +1,9 @@ function first() {
 one
 two
-three
+THREE
 four
 five
+five and a half
+five and three quarters
 six
 seven
@@ -18,5 +20,3 @@ function second() {
 eighteen
 nineteen
-twenty
-twenty-one
 twenty-two
diff --git a/docs/new.md b/docs/new.md
new file mode 100644
index 0000000..3333333
--- /dev/null
+++ b/docs/new.md
@@ -0,0 +1,2 @@
+# New
+text
`;
/** Changes lines 3 and 4; touches nothing else that the reference does. */
const GENERATED = `--- a/src/a.js
+++ b/src/a.js
@@ -2,4 +2,4 @@
 two
-three
-four
+Three
+Four
 five
`;

describe("the changed lines of a patch", () => {
  const [file, created] = parsePatch(REFERENCE);
  it("are the removed ones, and for an insertion the two around it", () => {
    expect(file && [...changedLines(file)]).toEqual([3, 5, 6, 20, 21]);
  });
  it("are none for a created file", () => {
    expect(created && [...changedLines(created)]).toEqual([]);
  });
  it("stay within the file at its beginning and its end", () => {
    const atEnd = parsePatch("--- a/x\n+++ b/x\n@@ -3,2 +3,3 @@\n three\n four\n+five\n");
    const atStart = parsePatch("--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n+zero\n one\n two\n");
    const bare = parsePatch("--- a/x\n+++ b/x\n@@ -4,0 +5 @@\n+five\n");
    expect([atEnd, atStart, bare].map(([one]) => one && [...changedLines(one)])).toEqual([[4], [1], [4, 5]]);
  });
});

describe("line-locating coverage (Eq. 1)", () => {
  const coverage = (reference: string, generated: string) =>
    lineLocatingCoverage(parsePatch(reference), parsePatch(generated));
  it("is the share of the reference's lines that the change touches too", () => {
    // The generated change, 3 and 4, has one of 3, 5, 6, 20 and 21.
    expect(coverage(REFERENCE, GENERATED)).toEqual({ covered: 1, lines: 5, ratio: 0.2 });
    // The other way round, the reference has one of 3 and 4.
    expect(coverage(GENERATED, REFERENCE)).toEqual({ covered: 1, lines: 2, ratio: 0.5 });
    expect(coverage(REFERENCE, REFERENCE).ratio).toBe(1);
  });
  it("is 0 for no change or another file's, and undefined without lines to find", () => {
    expect(coverage(REFERENCE, "").ratio).toBe(0);
    expect(coverage(REFERENCE, GENERATED.replaceAll("a.js", "b.js")).ratio).toBe(0);
    expect(coverage("", GENERATED)).toEqual({ covered: 0, lines: 0, ratio: undefined });
  });
});

describe("complexity (Table 5)", () => {
  it("counts files, functions, hunks and lines, with the first and last", () => {
    expect(complexityOf(parsePatch(REFERENCE))).toEqual({
      files: 2,
      functions: 2,
      hunks: 3,
      added: 5,
      deleted: 3,
      changed: 8,
      first: 3,
      last: 21,
    });
    expect(complexityOf(parsePatch(REFERENCE), [1, undefined]).functions).toBe(1);
  });
  it("counts a function once, and the innermost one", () => {
    const at = (start: number, end: number, kind = "function") => ({ kind, start, end });
    const declarations = [at(1, 40, "class"), at(2, 10, "method"), at(4, 6), at(20, 30, "method")];
    expect(touchedFunctions(declarations, [5, 6, 12])).toBe(1);
    expect(touchedFunctions(declarations, [3, 5, 25, 26])).toBe(3);
  });
});

describe("recall over the number of files", () => {
  it("grows with each file found, and stays where the list ends", () => {
    expect(recallCurve(["x", "a", "y", "b"], ["a", "b"], 6)).toEqual([0, 0.5, 0.5, 1, 1, 1]);
    expect(recallCurve(["a", "a", "b"], ["a", "b"], 2)).toEqual([0.5, 1]);
    expect(recallCurve(["a"], ["a", "b", "c", "d"], 3)).toEqual([0.25, 0.25, 0.25]);
    expect(recallCurve(["a"], [], 3)).toEqual([]);
  });
  it("counts the files that existed before the change", () => {
    const renamed = "diff --git a/old.js b/new.js\nsimilarity index 100%\nrename from old.js\nrename to new.js\n";
    const deleted =
      "diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
    expect(goldFiles(parsePatch(REFERENCE + renamed + deleted))).toEqual(["src/a.js", "old.js", "gone"]);
  });
});

it("a summary has count, extremes, mean, median and total", () => {
  const summary = { count: 4, min: 1, max: 9, mean: 4, median: 3, total: 16 };
  expect(summarise([9, undefined, 1, 2, 4])).toEqual(summary);
  expect(summarise([undefined])).toBeUndefined();
});

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

const observed = (yes: readonly number[], no: readonly number[]) => [
  ...yes.map((figure) => ({ figure, outcome: true })),
  ...no.map((figure) => ({ figure, outcome: false })),
];

describe("the logistic regression on one figure", () => {
  it("gives the textbook's coefficient, standard error and p (hours of study, exams passed)", () => {
    const passed = [1.75, 2.25, 2.75, 3.25, 4, 4.25, 4.5, 4.75, 5, 5.5];
    const failed = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5];
    const { coefficient = 0, error = 0, p = 0 } = logisticRegression(observed(passed, failed)) ?? {};
    expect(coefficient).toBeCloseTo(1.5046, 3);
    expect(error).toBeCloseTo(0.6287, 3);
    expect(p).toBeCloseTo(0.0167, 4);
  });

  it("does not depend on the figure's scale, except for the coefficient", () => {
    const [yes, no] = [
      [1, 2, 3, 9],
      [2, 4, 5, 7],
    ];
    const small = logisticRegression(observed(yes, no));
    const large = logisticRegression(
      observed(
        yes.map((one) => one * 1e4),
        no.map((one) => one * 1e4),
      ),
    );
    expect(large?.p).toBeCloseTo(small?.p ?? 0, 6);
    expect((large?.coefficient ?? 0) * 1e4).toBeCloseTo(small?.coefficient ?? 0, 6);
  });

  it.each([
    ["no outcome differs", [1, 2], []],
    ["no figure differs", [1, 1], [1, 1]],
    ["the figure tells the outcomes apart", [1, 1, 2], [2, 3]],
  ])("has no estimate when %s", (_, yes, no) => {
    expect(logisticRegression(observed(yes, no))).toBeUndefined();
  });
});

describe("the estimate", () => {
  it("is made after the first ten, and not before", () => {
    const costs = [1, 3, 1, 3, 1, 3, 1, 3, 1, 3];
    expect(estimateFor(300, costs.slice(1))).toBeUndefined();
    const { from, total = 0, least = 0, most = 0 } = estimateFor(300, [...costs, 900]) ?? {};
    expect([from, total]).toEqual([10, 600]);
    expect(least).toBeCloseTo(400, 6);
    expect(most).toBeCloseTo(800, 6);
  });
});
