import type { RoleDescription, Task } from "../../../model/plan.ts";
import { type Attempt, openComments, type QaComment } from "../../../model/work.ts";
import type { FinishedTask } from "../../change/working-copy.ts";

/** Where a task stands while the team works on it. */
export interface TaskProgress {
  readonly task: Task;
  /** the file before the task; undefined: it did not exist */
  readonly before: Uint8Array | undefined;
  /** the last change that could be put in place; `content: undefined` deletes the file */
  readonly change?: { readonly content: Uint8Array | undefined; readonly diff: string; readonly summary: string };
  /** the Developer's word on why nothing has to change */
  readonly unchanged?: string;
  /** why the last attempt could not be used */
  readonly rejected?: string;
  readonly qaEngineer: RoleDescription;
  readonly attempts: readonly Attempt[];
  readonly comments: readonly QaComment[];
  /** the Developer's answers by the ids of the task's `threads` */
  readonly replies: Readonly<Record<string, string>>;
  /** the file as it was in each round that QA reviewed; undefined: deleted */
  readonly reviewed: ReadonlyMap<number, Uint8Array | undefined>;
}

/** A task of which nothing usable has come yet has to be tried again; so has one that QA has sent back. */
export function isPending({ task, change, unchanged, comments }: TaskProgress): boolean {
  // What a deletion comes to does not change with another round: what QA has against it stays for the maintainer.
  if (task.action === "delete" && change) return false;
  return openComments(comments).length > 0 || (change === undefined && unchanged === undefined);
}

/** What a task leaves behind when the work ends. */
export function finishedTask(progress: TaskProgress): FinishedTask {
  const { task, change, unchanged, rejected, qaEngineer, attempts, comments, replies, reviewed } = progress;
  const open = openComments(comments).length > 0 || attempts.at(-1)?.approved !== true;
  const status = change ? (open ? "open" : "approved") : unchanged === undefined ? "failed" : "unchanged";
  const outcome = {
    ...({ taskId: task.id, path: task.path, status, qaEngineer, attempts, comments } as const),
    summary: change?.summary ?? unchanged ?? rejected ?? "",
    ...(task.threads && { replies }),
  };
  return { outcome, diff: change?.diff ?? "", reviewed };
}
