import { z } from "zod";
import { idShape, type RoleDescription, roleShape, taskShape } from "./plan.ts";
import { BUDGET_LIMITS } from "./spend.ts";

/** What a task takes over from an earlier run: its QA Engineer, and comments for its change to settle. */
export interface Inheritance {
  qaRole?: RoleDescription | undefined;
  earlier?: readonly QaComment[] | undefined;
}

const commentShape = z.object({
  /** `t1-r1-1`: task, round, number */
  id: idShape,
  taskId: idShape,
  /** round of review, 1-based */
  round: z.number(),
  path: z.string(),
  /** 1-based line in the final file; absent: about the whole file */
  line: z.number().optional(),
  body: z.string(),
  status: z.enum(["open", "settled"]),
  /** the Developer's answer in the next round, if any */
  reply: z.string().optional(),
  /** the QA Engineer fixed it during the review */
  mended: z.boolean().optional(),
  /** the program's own comment, not a QA Engineer's: an edit of what judges the change, for the maintainer to decide */
  shown: z.literal(true).optional(),
});

/** One comment of a QA Engineer on a change (P11). */
export type QaComment = z.infer<typeof commentShape>;

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

const attemptShape = z.object({
  /** 1-based */
  round: z.number(),
  /** unified diff of the task's file against its state before the task */
  diff: z.string(),
  /** why the attempt did not reach the QA Engineer (wrong intervals, a broken file) */
  rejected: z.string().optional(),
  approved: z.boolean(),
  /** the QA Engineer's comment in a sentence or two */
  verdict: z.string(),
});

/** One round of Algorithm 3: the Developer's change and the QA Engineer's verdict. */
export type Attempt = z.infer<typeof attemptShape>;

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
export const hasChange = ({ status }: { status: TaskStatus }): boolean => status !== "unchanged" && status !== "failed";

const outcomeShape = z.object({
  taskId: idShape,
  path: z.string(),
  status: z.enum(TASK_STATUSES),
  qaEngineer: roleShape,
  attempts: z.array(attemptShape).readonly(),
  comments: z.array(commentShape).readonly(),
  /** what changed, in its writer's words */
  summary: z.string(),
  /** who wrote the change, in order; absent: nothing was changed */
  writers: z.array(z.enum(WRITERS)).readonly().optional(),
  /** the Developer's answers, by the ids in the task's `threads` */
  replies: z.record(idShape, z.string()).optional(),
});

/** The outcome of one task (Algorithm 3). */
export type TaskOutcome = z.infer<typeof outcomeShape>;

const changeShape = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("modify"),
    path: z.string(),
    edits: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })).readonly(),
  }),
  z.object({ kind: z.literal("create"), path: z.string(), content: z.string() }),
  z.object({ kind: z.literal("delete"), path: z.string() }),
]);

/**
 * The change to one file, small enough to be kept: for a modified file the edits against the base commit's version, not
 * the whole file.
 */
export type FileChange = z.infer<typeof changeShape>;

export const workShape = z.object({
  outcomes: z.array(outcomeShape).readonly(),
  /** the whole change against the base commit */
  changes: z.array(changeShape).readonly(),
  /** the same as a patch for `git apply` */
  patch: z.string(),
  /** tasks that the last review added to the plan */
  added: z.array(taskShape).readonly().optional(),
  /** variants of the example that the last review did not check to the end */
  unfollowed: z.array(z.string()).readonly().optional(),
  /** the limit that ended the work early, and the unfinished tasks */
  stopped: z.object({ limit: z.enum(BUDGET_LIMITS), unfinished: z.array(z.string()).readonly() }).optional(),
});

/** The result of Developers and QA Engineers. */
export type Work = z.infer<typeof workShape>;

/**
 * An interval of lines, 1-based and inclusive. `end = start - 1` inserts before line `start`, which may be one past the
 * last line.
 */
export interface LineInterval {
  start: number;
  end: number;
}

/** New text for an interval, with the file's own line endings; "" deletes the interval. */
export interface LineEdit extends LineInterval {
  text: string;
}
