import type { OpenThread } from "../../model/feedback.ts";
import type { TaskOutcome } from "../../model/task-outcome.ts";
import type { CommentAnswer } from "../../report/comment-answers.ts";
import type { ThreadAnswer } from "../../report/thread-answer.ts";
import type { Work } from "../run/coding.ts";
import type { Revision } from "./plan-revision.ts";
import type { Batch } from "./read-feedback.ts";

export interface Answers {
  readonly threads: readonly { readonly thread: OpenThread; readonly answer: ThreadAnswer }[];
  readonly comments: readonly CommentAnswer[];
}

/**
 * What is said to every thread and comment of a batch. `commit` is the revision's, when it changed anything. Those whose
 * task the budget left undone have no answer yet.
 */
export function answersOf({ feedback }: Batch, revision: Revision, work: Work, commit: string | undefined): Answers {
  const changed = new Set(work.changes.map(({ path }) => path));
  const tasksFor = (id: string) => revision.plan.tasks.filter((task) => revision.reasons[task.id]?.includes(id));
  const outcomesFor = (id: string) =>
    tasksFor(id).map((task) => work.outcomes.find(({ taskId }) => taskId === task.id));
  const isDone = (outcome: TaskOutcome | undefined): outcome is TaskOutcome => outcome !== undefined;

  const threads = feedback.threads.flatMap((thread) => {
    const { id, path, source } = thread;
    const outcomes = outcomesFor(id);
    if (!outcomes.every(isDone)) return [];
    const developer = tasksFor(id).find((task) => task.path === path)?.developer.title ?? "";
    const settled = outcomes.some(({ comments }) => comments.some((one) => one.id === id && one.status === "settled"));
    const touched = outcomes.some((outcome) => changed.has(outcome.path));
    const reply = replyTo(id, outcomes, revision);
    return [{ thread, answer: { source, developer, reply, ...(touched && { commit }), settled: settled && touched } }];
  });
  const comments = feedback.comments.flatMap(({ id, source, author, body }) => {
    const outcomes = outcomesFor(id);
    if (!outcomes.every(isDone)) return [];
    const paths = outcomes.map(({ path }) => path).filter((path) => changed.has(path));
    return [{ source, author, body, reply: replyTo(id, outcomes, revision), paths }];
  });
  return { threads, comments };
}

/** The Developers' own words where they have some, the Manager's otherwise, and what could not be done. */
function replyTo(id: string, outcomes: readonly TaskOutcome[], { replies }: Revision): string {
  const said = outcomes.map((outcome) => outcome.replies?.[id] ?? "").filter((reply) => reply !== "");
  const failed = outcomes
    .filter(({ status }) => status === "failed")
    .map(({ path, summary }) => `I could not change \`${path}\`: ${summary}`);
  const manager = said.length === 0 ? [replies[id] ?? ""] : said;
  return [...manager, ...failed].filter((part) => part !== "").join("\n\n");
}
