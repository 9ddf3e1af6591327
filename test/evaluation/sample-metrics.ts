import type { InstanceMetrics } from "../../eval/evaluation/measures/metrics.ts";

/** The metrics of an instance that succeeded. */
export function sampleMetrics(changes: Partial<InstanceMetrics> = {}): InstanceMetrics {
  const complexity = { files: 1, functions: 1, hunks: 1, added: 1, deleted: 1, changed: 2, first: 3, last: 3 };
  return {
    id: "acme__shop-1",
    repository: "acme/shop",
    baseCommit: "0".repeat(40),
    digest: "d",
    end: { kind: "change", reason: "" },
    patch: { empty: false, applied: true, refusal: null },
    recall: {
      gold: ["a.js"],
      custodian: ["a.js"],
      bm25: ["b.js", "a.js"],
      lunr: ["b.js"],
      ranking: ["a.js"],
      corpus: 2,
    },
    coverage: { covered: 1, lines: 2, ratio: 0.5 },
    complexity: { reference: complexity, generated: complexity },
    spend: {
      calls: 4,
      failedCalls: 0,
      input: 10,
      cacheWrite: 20,
      cacheRead: 30,
      output: 40,
      tokens: 100,
      money: 0.5,
      wallMs: 2000,
      sequentialCalls: 4,
      criticalMs: 1500,
      lookups: 1,
      models: ["m"],
      byPrompt: {},
      byEffort: {},
    },
    check: null,
    correlation: null,
    ...changes,
  };
}
