import type { PlanNode } from "../../model/task.ts";

/**
 * A plan as stages, for showing: the ids of a stage may run together, and each stage follows the one before. Exact for
 * a sequence of stages; where the branches of a `concurrently` have several steps, a step is shown beside the other
 * branches' step of the same number, although it does not wait for it.
 */
export function planStages(node: PlanNode): string[][] {
  if ("run" in node) return [[node.run]];
  if ("sequence" in node) return node.sequence.flatMap(planStages);
  const stages: string[][] = [];
  for (const branch of node.concurrently) {
    for (const [index, ids] of planStages(branch).entries()) stages[index] = [...(stages[index] ?? []), ...ids];
  }
  return stages;
}
