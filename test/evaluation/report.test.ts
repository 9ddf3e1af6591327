import { describe, expect, it } from "@jest/globals";
import { totalsOf } from "../../eval/evaluation/measures/totals.ts";
import { markdownReport } from "../../eval/evaluation/report/markdown-report.ts";
import { recallPlot } from "../../eval/evaluation/report/recall-plot.ts";
import { sampleMetrics } from "./sample-metrics.ts";

const failed = sampleMetrics({
  id: "acme__till-2",
  end: { kind: "failed", reason: "ANSWER_INVALID: x\n| y" },
  patch: { empty: true, applied: false, refusal: null },
  recall: {
    gold: ["a.js", "c.js"],
    custodian: ["c.js"],
    bm25: [],
    lunr: [],
    ranking: ["b.js", "c.js", "a.js"],
    corpus: 9,
  },
  coverage: { covered: 0, lines: 6, ratio: 0 },
  complexity: { reference: null, generated: null },
});
const nothingToDo = sampleMetrics({
  id: "acme__none-3",
  patch: { empty: true, applied: null, refusal: null },
  recall: { gold: [], custodian: [], bm25: [], lunr: [], ranking: [], corpus: 9 },
  coverage: { covered: 0, lines: 0, ratio: null },
});
const metrics = [sampleMetrics(), failed, nothingToDo];
const grading = new Map([
  ["acme__shop-1", true],
  ["acme__none-3", true],
]);

describe("the totals", () => {
  const totals = totalsOf(metrics, grading);
  it("are means over the instances that have a figure", () => {
    expect(totals).toMatchObject({
      instances: 3,
      ends: { change: 2, failed: 1 },
      applied: { count: 1, of: 2, ratio: 0.5 },
      resolved: { count: 2, of: 3, ofGraded: { count: 2, of: 2, ratio: 1 } },
      // (1 + 1/2) / 2, and for BM25 (0 + 0) / 2, then (1 + 0) / 2.
      recall: { instances: 2, located: { mean: 1 } },
      // (0.5 + 0) / 2, and 1 of 8 lines.
      coverage: { instances: 2, mean: 0.25, pooled: 0.125 },
      correlation: null,
      spend: { money: { total: 1.5 }, calls: { mean: 4 } },
    });
    expect(totals.recall?.custodian.slice(0, 2)).toEqual([0.75, 0.75]);
    expect(totals.recall?.bm25.slice(0, 2)).toEqual([0, 0.5]);
    expect(totals.recall?.ranking.slice(0, 3)).toEqual([0.5, 0.75, 1]);
  });

  it("exist without instances, too", () => {
    expect(totalsOf([], undefined)).toMatchObject({
      instances: 0,
      applied: { ratio: null },
      resolved: null,
      recall: null,
    });
  });
});

describe("the report", () => {
  const facts = (chosen: typeof metrics) => ({
    making: {
      began: "2026-01-01T10:00:00.000Z",
      made: "2026-01-02T11:30:00.000Z",
      version: "1.2.3",
      runtime: "Node 24.0.0",
      command: "npm run eval",
      configuration: { profile: "lean", ablate: [] },
    },
    metrics: chosen,
    grading,
    totals: totalsOf(chosen, grading),
    unfinished: new Map([["x-1", "It was interrupted."]]),
    spent: 1.75,
    compared: [{ name: "another system", totals: totalsOf(chosen.slice(1), grading) }],
    fitting: undefined,
  });

  it("says what was measured, of what, and what was not", () => {
    const text = markdownReport(facts(metrics));
    for (const line of [
      "- Spent on everything, attempts without a result and the judge included: $1.75",
      "| full | 3 | 50.0 % | 66.7 % | 100.0 % | 75.0 % | 25.0 % | – | $0.5000 | 100 | 4 | 2.0 s |",
      "| another system | 2 | 0.0 % | 50.0 % | 100.0 % | 50.0 % | 0.0 % | – | $0.5000 | 100 | 4 | 2.0 s |",
      "| own ranking, no model | 50.0 % | 75.0 % | 100.0 % | 100.0 % | 100.0 % | 100.0 % |",
      "Line-locating coverage (Eq. 1): 25.0 % on average over 2 instances, 12.5 % of all their lines together.",
      "| money | $0.5000 | $0.5000 | $0.5000 | $0.5000 | $1.50 |",
      "| changed lines | 2 | 2 | 2 | 2 | – | – | – | – |",
      "- `acme__till-2`: `ANSWER_INVALID: x \\| y`",
      "- Resolved ratio: the grader says nothing of 1 instance, which count as not resolved.",
      "- `x-1`: `It was interrupted.`",
    ])
      expect(text).toContain(line);
  });

  it("can be made without instances", () => {
    expect(markdownReport(facts([]))).toContain("| full | 0 | – | – | – |");
  });

  it("has a plot of the recall in well-formed XML", () => {
    const { recall } = totalsOf(metrics, grading);
    const svg = recall ? recallPlot(recall) : "";
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    expect(svg).toContain('points="60.0,105.0 89.5,105.0');
    const tags = [...svg.matchAll(/<(\/?)([a-z]+)[^<>]*?(\/?)>/g)];
    const open = tags.filter(([, closes, , single]) => !closes && !single).map(([, , name]) => name);
    const closed = tags.filter(([, closes]) => closes).map(([, , name]) => name);
    expect(open.sort()).toEqual(closed.sort());
  });
});
