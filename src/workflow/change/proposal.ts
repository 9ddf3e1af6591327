import type { TaskAction } from "../../model/task.ts";

/** A file that a model wants to become a task. */
export interface Proposal {
  readonly path: string;
  readonly action: TaskAction;
}
