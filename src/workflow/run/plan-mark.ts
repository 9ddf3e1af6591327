import { createHash } from "node:crypto";
import type { Plan } from "../../model/task.ts";

/** A mark of what a person sees of a plan: equal marks, equal plans. */
export function planMark({ tasks, order }: Pick<Plan, "tasks" | "order">): string {
  const shown = tasks.map(({ id, path, action, title, description }) => [id, path, action, title, description]);
  return createHash("sha256")
    .update(JSON.stringify([shown, order]))
    .digest("hex");
}
