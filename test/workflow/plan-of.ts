import type { MadePlan, PlanNode, Task } from "../../src/data/plan.ts";

/** A plan of these tasks for the coding phase, sequential unless `order` says otherwise. */
export function planOf(tasks: readonly Task[], order?: PlanNode): MadePlan {
  const inSequence = { sequence: tasks.map(({ id }) => ({ run: id })) };
  return { tasks, order: order ?? inSequence, source: 'run("t1");', meeting: [], agreed: "", reason: "", refused: 0 };
}
