import type { RoleDescription, Task } from "./plan.ts";
import type { BudgetLimit } from "./spend.ts";

/** What the Developers and QA Engineers made of the plan. */
export interface Work {
  readonly outcomes: readonly TaskOutcome[];
  /** the repository-level change against the base commit */
  readonly changes: readonly FileChange[];
  /** the same as a patch for `git apply` */
  readonly patch: string;
  /** tasks that the last review found to be missing from the plan */
  readonly added?: readonly Task[];
  /** variants of the example that the last review did not follow */
  readonly unfollowed?: readonly string[];
  /** the limit that ended the work early, and the tasks it left undone */
  readonly stopped?: { readonly limit: BudgetLimit; readonly unfinished: readonly string[] };
}

/** What a task takes over from an earlier run: its QA Engineer, and comments that its change is to settle. */
export interface Inheritance {
  readonly qaRole?: RoleDescription | undefined;
  readonly earlier?: readonly QaComment[] | undefined;
}

/** One comment of a QA Engineer on a change (P11). */
export interface QaComment {
  /** `t1-r1-1`: task, round, number */
  readonly id: string;
  readonly taskId: string;
  /** 1-based round of review that made it */
  readonly round: number;
  readonly path: string;
  /** 1-based line in the file as the run leaves it; absent: about the file as a whole */
  readonly line?: number;
  readonly body: string;
  readonly status: "open" | "settled";
  /** the Developer's answer from the round that followed, if there was one */
  readonly reply?: string;
  /** the QA Engineer put it right in the review, without the Developer */
  readonly mended?: boolean;
  /**
   * No QA Engineer's, but the program's own: what the change takes from tests and checks, and whether people have asked for
   * that, or what it edits of them (`shown`). The maintainer decides.
   */
  readonly tampering?: "asked" | "unasked" | "shown";
}

/** More comments of one review than these get no thread of their own: each is several writes on the host. */
export const MAX_THREADS = 30;

export type TamperingKind = "test" | "skip" | "assertion" | "limit" | "snapshot" | "configuration" | "suppression";

/** What a change takes from the checks: `what` is a sentence's end that begins with a verb. */
export interface Tampering {
  readonly kind: TamperingKind;
  readonly path: string;
  /** 1-based line of the new version, where there is one to point at */
  readonly line?: number;
  readonly what: string;
}

/** Those that no later round has settled. */
export function openComments(comments: readonly QaComment[]): readonly QaComment[] {
  return comments.filter(({ status }) => status === "open");
}

/** How many comments on all of a change are open. */
export function countOpen(outcomes: readonly Pick<TaskOutcome, "comments">[]): number {
  return openComments(outcomes.flatMap(({ comments }) => comments)).length;
}

/** The comments with the Developer's answers, by the comments' ids, to those that are open. */
export function withReplies(
  comments: readonly QaComment[],
  replies: ReadonlyMap<string, string>,
): readonly QaComment[] {
  return comments.map((comment) => {
    const reply = replies.get(comment.id);
    return comment.status === "open" && reply ? { ...comment, reply } : comment;
  });
}

/** One round of Algorithm 3: what the Developer wrote and what its QA Engineer said. */
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

/** The writers of a change after one more has written. */
export function withWriter(writers: readonly Writer[], writer: Writer): readonly Writer[] {
  return writers.includes(writer) ? writers : [...writers, writer];
}

/** Whether a QA Engineer has looked at a task's change: with the QA Engineers left out, or a review that failed, nobody has. */
export function wasReviewed({ attempts }: Pick<TaskOutcome, "attempts">): boolean {
  return attempts.some(({ rejected, approved, verdict }) => rejected === undefined && (approved || verdict !== ""));
}

/** Approved; comments still open after n_max rounds; the Developer changed nothing; no usable change came out. */
export const TASK_STATUSES = ["approved", "open", "unchanged", "failed"] as const;

export type TaskStatus = (typeof TASK_STATUSES)[number];

/** What came of one task (Algorithm 3). */
export interface TaskOutcome {
  readonly taskId: string;
  readonly path: string;
  readonly status: TaskStatus;
  readonly qaEngineer: RoleDescription;
  readonly attempts: readonly Attempt[];
  readonly comments: readonly QaComment[];
  /** what changed, in the words of whoever wrote it */
  readonly summary: string;
  /** whose lines the change holds, in the order in which they came to it; absent: nothing was changed */
  readonly writers?: readonly Writer[];
  /** the Developer's answers by the ids of the task's `threads` */
  readonly replies?: Readonly<Record<string, string>>;
}

/**
 * What happens to one file, small enough to be kept: a modified file is its edits against the base commit's
 * version, never the whole file.
 */
export type FileChange =
  | { readonly kind: "modify"; readonly path: string; readonly edits: readonly LineEdit[] }
  | { readonly kind: "create"; readonly path: string; readonly content: string }
  | { readonly kind: "delete"; readonly path: string };

/**
 * An interval of lines, 1-based and inclusive. `end = start - 1` is an insertion before line `start`
 * (`start` may be one past the last line: append).
 */
export interface LineInterval {
  readonly start: number;
  readonly end: number;
}

/** New text for an interval, with the file's own line endings; "" deletes the interval. */
export interface LineEdit extends LineInterval {
  readonly text: string;
}
