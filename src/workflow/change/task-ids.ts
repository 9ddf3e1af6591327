import type { PlanNode } from "../../model/task.ts";

/** The ids of all tasks in a plan, in the order they are written. */
export function taskIds(node: PlanNode): string[] {
  if ("run" in node) return [node.run];
  return ("sequence" in node ? node.sequence : node.concurrently).flatMap(taskIds);
}
