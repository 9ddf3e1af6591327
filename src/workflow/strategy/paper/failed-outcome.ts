import type { Task } from "../../../model/task.ts";
import type { FinishedTask } from "./resolve-task.ts";

/** A task from which no usable change came out; the file stays as it was. */
export function failedOutcome(task: Task, reason: string): FinishedTask {
  const outcome = {
    taskId: task.id,
    path: task.path,
    status: "failed",
    qaEngineer: { title: "", description: "" },
    attempts: [],
    comments: [],
    summary: reason,
  } as const;
  return { outcome, diff: "", reviewed: new Map() };
}
