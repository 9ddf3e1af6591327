import type { Count } from "./create-counting-model.ts";
import type { Measure } from "./measure-issues.ts";

/** The sequence's first issues fill the memory; what it saves is told from this one on. */
const SETTLED = 2;

/** The ratios of a sequence: tokens against asking about each file whole, from the third issue on, and recall. */
export function summariseMeasures(measures: readonly Measure[]) {
  const settled = measures.slice(SETTLED);
  const sum = (pick: (measure: Measure) => Count) => settled.reduce((all, one) => all + pick(one).tokens, 0);
  const ratio = (a: number, b: number) => Math.round((a / Math.max(1, b)) * 1000) / 1000;
  const mean = (pick: (measure: Measure) => number) =>
    Math.round((measures.reduce((all, one) => all + pick(one), 0) / Math.max(1, measures.length)) * 1000) / 1000;
  const judged = settled.flatMap(({ withMap }) => withMap.judged).length;
  return {
    unit: "tokens, characters / 4, from the third issue on",
    issues: measures.length,
    "memory/whole": ratio(
      sum((one) => one.withMap),
      sum((one) => one.whole),
    ),
    "memory/without": ratio(
      sum((one) => one.withMap),
      sum((one) => one.withoutMemory),
    ),
    "memory/whole, no map": ratio(
      sum((one) => one.withoutMap),
      sum((one) => one.wholeWithoutMap),
    ),
    remembered: ratio(
      settled.reduce((all, { withMap }) => all + withMap.remembered, 0),
      judged,
    ),
    mapTokens: Math.round((sum((one) => one.withMap) - sum((one) => one.withoutMap)) / Math.max(1, settled.length)),
    recall: {
      candidates: mean((one) => one.withMap.poolRecall),
      "candidates, no map": mean((one) => one.withoutMap.poolRecall),
      kept: mean((one) => one.withMap.keptRecall),
      "kept, no map": mean((one) => one.withoutMap.keptRecall),
    },
  };
}
