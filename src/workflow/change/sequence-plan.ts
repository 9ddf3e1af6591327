import type { PlanNode, Task } from "../../model/task.ts";

/** The program's own order when the Manager's cannot be used: one task after the other, as they are listed. */
export function sequencePlan(tasks: readonly Pick<Task, "id">[]): PlanNode {
  const [only, second] = tasks;
  if (only !== undefined && second === undefined) return { run: only.id };
  return { sequence: tasks.map(({ id }) => ({ run: id })) };
}
