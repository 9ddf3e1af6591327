import type { RoleDescription, Task } from "./plan.ts";
import type { BudgetLimit } from "./spend.ts";

/** The result of Developers and QA Engineers. */
export interface Work {
  readonly outcomes: readonly TaskOutcome[];
  /** the whole change against the base commit */
  readonly changes: readonly FileChange[];
  /** the same as a patch for `git apply` */
  readonly patch: string;
  /** tasks that the last review added to the plan */
  readonly added?: readonly Task[];
  /** variants of the example that the last review did not check to the end */
  readonly unfollowed?: readonly string[];
  /** the limit that ended the work early, and the unfinished tasks */
  readonly stopped?: { readonly limit: BudgetLimit; readonly unfinished: readonly string[] };
}

/** What a task takes over from an earlier run: its QA Engineer, and comments for its change to settle. */
export interface Inheritance {
  readonly qaRole?: RoleDescription | undefined;
  readonly earlier?: readonly QaComment[] | undefined;
}

/** One comment of a QA Engineer on a change (P11). */
export interface QaComment {
  /** `t1-r1-1`: task, round, number */
  readonly id: string;
  readonly taskId: string;
  /** round of review, 1-based */
  readonly round: number;
  readonly path: string;
  /** 1-based line in the final file; absent: about the whole file */
  readonly line?: number;
  readonly body: string;
  readonly status: "open" | "settled";
  /** the Developer's answer in the next round, if any */
  readonly reply?: string;
  /** the QA Engineer fixed it during the review */
  readonly mended?: boolean;
  /** the program's own comment, not a QA Engineer's: an edit of what judges the change, for the maintainer to decide */
  readonly shown?: true;
}

/** The most threads per review, because each takes several writes on the host. */
export const MAX_THREADS = 30;

export function openComments(comments: readonly QaComment[]): readonly QaComment[] {
  return comments.filter(({ status }) => status === "open");
}

/** How many comments on the whole change are open. */
export function countOpen(outcomes: readonly Pick<TaskOutcome, "comments">[]): number {
  return openComments(outcomes.flatMap(({ comments }) => comments)).length;
}

/** Adds the Developer's answers, by comment id, to the open comments. */
export function withReplies(
  comments: readonly QaComment[],
  replies: ReadonlyMap<string, string>,
): readonly QaComment[] {
  return comments.map((comment) => {
    const reply = replies.get(comment.id);
    return comment.status === "open" && reply ? { ...comment, reply } : comment;
  });
}

/** One round of Algorithm 3: the Developer's change and the QA Engineer's verdict. */
export interface Attempt {
  /** 1-based */
  readonly round: number;
  /** unified diff of the task's file against its state before the task */
  readonly diff: string;
  /** why the attempt did not reach the QA Engineer (wrong intervals, a broken file) */
  readonly rejected?: string;
  readonly approved: boolean;
  /** the QA Engineer's comment in a sentence or two */
  readonly verdict: string;
}

/** Who may write a change: the Manager drafts short ones, a QA Engineer may edit one in a review. */
export const WRITERS = ["manager", "developer", "qa"] as const;

export type Writer = (typeof WRITERS)[number];

/** Adds a writer, once. */
export function withWriter(writers: readonly Writer[], writer: Writer): readonly Writer[] {
  return writers.includes(writer) ? writers : [...writers, writer];
}

/**
 * Whether a QA Engineer has reviewed a task's change. Not when QA Engineers are left out, or when the review failed.
 */
export function wasReviewed({ attempts }: Pick<TaskOutcome, "attempts">): boolean {
  return attempts.some(({ rejected, approved, verdict }) => rejected === undefined && (approved || verdict !== ""));
}

/**
 * Approved; approved with an edit by a QA Engineer that nobody has reviewed; comments still open after n_max rounds;
 * nothing changed by the Developer; no usable change.
 */
export const TASK_STATUSES = ["approved", "mended", "open", "unchanged", "failed"] as const;

export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Whether a task with this status has changed its file. */
export const hasChange = ({ status }: { readonly status: TaskStatus }): boolean =>
  status !== "unchanged" && status !== "failed";

/** The outcome of one task (Algorithm 3). */
export interface TaskOutcome {
  readonly taskId: string;
  readonly path: string;
  readonly status: TaskStatus;
  readonly qaEngineer: RoleDescription;
  readonly attempts: readonly Attempt[];
  readonly comments: readonly QaComment[];
  /** what changed, in its writer's words */
  readonly summary: string;
  /** who wrote the change, in order; absent: nothing was changed */
  readonly writers?: readonly Writer[];
  /** the Developer's answers, by the ids in the task's `threads` */
  readonly replies?: Readonly<Record<string, string>>;
}

/**
 * The change to one file, small enough to be kept: for a modified file the edits against the base commit's version, not
 * the whole file.
 */
export type FileChange =
  | { readonly kind: "modify"; readonly path: string; readonly edits: readonly LineEdit[] }
  | { readonly kind: "create"; readonly path: string; readonly content: string }
  | { readonly kind: "delete"; readonly path: string };

/**
 * An interval of lines, 1-based and inclusive. `end = start - 1` inserts before line `start`, which may be one past the
 * last line.
 */
export interface LineInterval {
  readonly start: number;
  readonly end: number;
}

/** New text for an interval, with the file's own line endings; "" deletes the interval. */
export interface LineEdit extends LineInterval {
  readonly text: string;
}
