import type { Count } from "./create-counting-model.ts";
import type { Measure } from "./measure-issues.ts";

/** The sequence's first issues fill the memory; what it saves is told from this one on. */
const SETTLED = 2;

/** What a group of issues has cost on average, in each way. */
interface Group {
  issues: number;
  memory: number;
  withoutMemory: number;
  paper: number;
}

/**
 * The figures of a sequence: mean tokens of its first issue, of later ones whose known files were as they are remembered,
 * and of those after a change of such a file; and the ratios of the sums from the third issue on.
 */
export function summariseMeasures(measures: readonly Measure[]) {
  const settled = measures.slice(SETTLED);
  const sum = (pick: (measure: Measure) => number) => settled.reduce((all, one) => all + pick(one), 0);
  const tokens = (pick: (measure: Measure) => Count) => sum((one) => pick(one).tokens);
  const ratio = (a: number, b: number) => Math.round((a / Math.max(1, b)) * 1000) / 1000;
  const memory = tokens((one) => one.memory);
  const later = measures.slice(1);
  return {
    unit: "tokens, characters / 4",
    issues: measures.length,
    first: group(measures.slice(0, 1)),
    later: group(later.filter((one) => one.memory.updated === 0)),
    "after a change": group(later.filter((one) => one.memory.updated > 0)),
    "from the third issue on": {
      "memory/without": ratio(
        memory,
        tokens((one) => one.withoutMemory),
      ),
      "memory/paper": ratio(
        memory,
        tokens((one) => one.paper),
      ),
      "memory/whole": ratio(
        memory,
        tokens((one) => one.whole),
      ),
      remembered: ratio(
        sum((one) => one.memory.remembered),
        sum((one) => one.memory.judged.length),
      ),
      "worst memory/whole": Math.max(0, ...settled.map((one) => ratio(one.memory.tokens, one.whole.tokens))),
      "paper's calls": ratio(
        sum((one) => callsOf(one.paper)),
        settled.length,
      ),
    },
  };
}

const callsOf = ({ calls }: Count) => Object.values(calls).reduce((all, count) => all + count, 0);

function group(measures: readonly Measure[]): Group {
  const mean = (pick: (measure: Measure) => Count) =>
    Math.round(measures.reduce((all, one) => all + pick(one).tokens, 0) / Math.max(1, measures.length));
  return {
    issues: measures.length,
    memory: mean((one) => one.memory),
    withoutMemory: mean((one) => one.withoutMemory),
    paper: mean((one) => one.paper),
  };
}
