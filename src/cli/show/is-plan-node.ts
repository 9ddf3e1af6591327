import type { PlanNode } from "../../model/task.ts";

/** No plan that we write is nested deeper. */
const MAX_DEPTH = 100;

/** Whether a kept value is an order of tasks, all the way down. */
export function isPlanNode(value: unknown, depth = 0): value is PlanNode {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return false;
  const { run, sequence, concurrently } = value as Partial<Record<"run" | "sequence" | "concurrently", unknown>>;
  if (typeof run === "string") return true;
  const branches = sequence ?? concurrently;
  return Array.isArray(branches) && branches.every((branch) => isPlanNode(branch, depth + 1));
}
