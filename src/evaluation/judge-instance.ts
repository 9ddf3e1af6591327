import type { MoneyPool } from "./create-money-pool.ts";
import type { EvaluationInput } from "./evaluating.ts";
import type { Instance } from "./instance.ts";
import type { InstanceMetrics } from "./measures/instance-metrics.ts";
import { readRecord } from "./measures/read-record.ts";
import type { Solved } from "./solve-instance.ts";

/** US dollars that one judgement may use at most, and below which none is asked for. */
const MAX = 1;
const LEAST = 0.05;

/** Task correlation of a solved instance, if a judge is there, tasks were planned, and the budget has room for it. */
export async function judgeInstance(
  instance: Instance,
  solved: Solved,
  deps: Pick<EvaluationInput, "judge" | "results" | "progress"> & {
    readonly pool: MoneyPool;
    readonly withHints: boolean;
  },
  signal: AbortSignal,
): Promise<InstanceMetrics["correlation"]> {
  const { tasks } = readRecord(solved.report.record);
  if (!deps.judge || tasks.length === 0 || instance.patch.trim() === "") return null;
  const held = deps.pool.hold(MAX, LEAST);
  if (!held) {
    deps.progress(`${instance.id}: nothing is left of --budget for the judge; task correlation is not measured.`);
    return null;
  }
  const note = deps.results.ledger.begin(`${instance.id} judge`);
  let used = 0;
  try {
    const { correlation, money, failure } = await deps.judge(
      instance,
      tasks,
      { money: held.money, hints: deps.withHints },
      signal,
    );
    used = money;
    note(money);
    if (failure !== undefined) deps.progress(`${instance.id}: the judge gave no score: ${failure}`);
    return correlation ?? null;
  } finally {
    held.settle(used);
  }
}
