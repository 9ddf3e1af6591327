import type { PlanNode } from "../../model/task.ts";

/**
 * Carries out a plan (Algorithm 2, P7): what it puts side by side runs concurrently, the rest in order. `run` does one
 * task and is given what came of the tasks before it in the plan, never of those beside it. Gives what came of all, in
 * the plan's order. Throws what `run` throws, once everything beside it has ended.
 */
export async function carryOut<T>(
  node: PlanNode,
  run: (id: string, before: readonly T[]) => Promise<readonly T[]>,
  before: readonly T[] = [],
): Promise<readonly T[]> {
  if ("run" in node) return run(node.run, before);
  if ("sequence" in node) {
    let done: readonly T[] = [];
    for (const step of node.sequence) done = [...done, ...(await carryOut(step, run, [...before, ...done]))];
    return done;
  }
  const branches = await Promise.allSettled(node.concurrently.map((branch) => carryOut(branch, run, before)));
  return branches.flatMap((branch) => {
    if (branch.status === "rejected") throw branch.reason;
    return branch.value;
  });
}
