import type { OpenThread } from "../../data/discussion.ts";
import { commentOfThread, isOurs, markers, ownMarks } from "../../data/marks.ts";
import type { FileChange, TaskOutcome, Work } from "../../data/work.ts";
import type { CodeHost, ReviewThread } from "../../github/code-host.ts";
import { reportFollowUp } from "../../publish/follow-up.ts";
import type { RunContext } from "../../run/run-context.ts";
import { codeSpan, paragraphs, plain, prose, shortQuote } from "../../text/compose-markdown.ts";
import { figure } from "../../text/counted.ts";
import type { Revision } from "./plan-revision.ts";
import type { Batch } from "./read-feedback.ts";

export interface Answers {
  threads: readonly { thread: OpenThread; answer: ThreadAnswer }[];
  comments: readonly CommentAnswer[];
}

/**
 * The replies to every thread and comment of a batch. `commit` is the revision's, when it changed anything. Those whose
 * task the budget left undone get no answer yet.
 */
export function answersOf({ feedback }: Batch, revision: Revision, work: Work, commit: string | undefined): Answers {
  const changes = new Map(work.changes.map((change) => [change.path, change]));
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
    const touched = outcomes.some((outcome) => changes.has(outcome.path));
    const answer = { source, developer, reply: replyTo(id, outcomes, revision), settled: settled && touched };
    if (commit === undefined || !touched) return [{ thread, answer }];
    return [{ thread, answer: { ...answer, commit, where: whereOf(thread, changes.get(path)) } }];
  });
  const comments = feedback.comments.flatMap(({ id, source, author, body }) => {
    const outcomes = outcomesFor(id);
    if (!outcomes.every(isDone)) return [];
    const paths = outcomes.map(({ path }) => path).filter((path) => changes.has(path));
    return [{ source, author, body, reply: replyTo(id, outcomes, revision), paths }];
  });
  return { threads, comments };
}

/**
 * Where the change for a thread is: on its lines or on others of its file. What is inserted counts for the lines above
 * and below it. A change of another file was made for this thread.
 */
function whereOf({ line, startLine = line }: OpenThread, change: FileChange | undefined): ThreadAnswer["where"] {
  if (change?.kind !== "modify") return "here";
  if (line === undefined || startLine === undefined) return "in its file";
  const isHere = change.edits.some(
    ({ start, end }) => Math.min(start, end) <= line && Math.max(start, end) >= startLine,
  );
  return isHere ? "here" : "on other lines";
}

/** The Developers' words where there are any, else the Manager's, and what could not be done. */
function replyTo(id: string, outcomes: readonly TaskOutcome[], { replies }: Revision): string {
  const said = outcomes.map((outcome) => outcome.replies?.[id] ?? "").filter((reply) => reply !== "");
  const failed = outcomes
    .filter(({ status }) => status === "failed")
    .map(({ path, summary }) => `I could not change \`${path}\`: ${summary}`);
  const manager = said.length === 0 ? [replies[id] ?? ""] : said;
  return [...manager, ...failed].filter((part) => part !== "").join("\n\n");
}

/**
 * Posts one reply in each thread and one comment for all comments, unless they exist. People resolve their own threads;
 * a QA Engineer's thread is resolved when QA found it settled.
 */
export async function giveAnswers(
  host: CodeHost,
  pullRequest: number,
  { threads, comments }: Answers,
  commit: string | undefined,
): Promise<void> {
  const now = threads.length > 0 ? await host.listThreads(pullRequest) : [];
  for (const { thread, answer } of threads) {
    const found = now.find(({ id }) => id === thread.thread);
    if (!found) continue;
    const isAnswered = found.comments.some((one) => isOurs(one, host.login, markers.answer(answer.source)));
    if (!isAnswered) await host.replyToThread(pullRequest, found, threadAnswer(answer));
    const isQa = thread.qaComment !== undefined;
    if (isQa && answer.settled && !found.resolved && !saidMore(found, answer.source, host.login)) {
      await host.resolveThread(found);
    }
  }
  if (comments.length === 0) return;
  const answered = ownMarks("answer", await host.listComments(pullRequest), host.login);
  const open = comments.filter(({ source }) => !answered.has(source));
  if (open.length > 0) await host.createComment(pullRequest, commentAnswers(open, commit));
}

/** Somebody has written in the thread since: do not resolve it. */
function saidMore({ comments }: ReviewThread, source: string, login: string): boolean {
  const answered = commentOfThread(source) ?? 0;
  return comments.some((comment) => !isOurs(comment, login) && comment.id > answered);
}

interface Revised {
  batch: Batch;
  /** absent for a run that had to stop */
  answers?: Answers;
  commit?: string | undefined;
}

/** Adds the revision's line to the pull request; returns how many review threads are still unresolved. */
export async function reportRevision(revised: Revised, run: RunContext): Promise<number> {
  const { batch } = revised;
  const { pull, origin } = batch;
  const line = { what: whatOf(batch), outcome: outcomeOf(revised) };
  return reportFollowUp({ root: origin.root, pullRequest: pull.number, ...line }, run);
}

function whatOf({ feedback: { threads, comments } }: Batch): string {
  const people = [...new Set([...threads, ...comments].map(({ author }) => author))].join(", ");
  const parts = [
    threads.length > 0 && figure(threads.length, "thread"),
    comments.length > 0 && figure(comments.length, "comment"),
  ];
  return `Review by ${people}: ${parts.filter((part) => part).join(", ")}`;
}

function outcomeOf({ answers, commit }: Revised): string {
  if (!answers) return "stopped; a comment says why";
  const given = figure(answers.threads.length + answers.comments.length, "answer");
  return commit === undefined ? `${given}, no change` : `commit ${commit.slice(0, 7)}, ${given}`;
}

/** The answer to one comment. */
interface CommentAnswer {
  /** id of what it answers, for its mark */
  source: string;
  author: string;
  /** the comment's text */
  body: string;
  reply: string;
  /** files that were changed for it */
  paths: readonly string[];
}

/** One comment that answers a batch of comments, with a short quote of each. */
export function commentAnswers(answers: readonly CommentAnswer[], commit: string | undefined): string {
  const marks = answers.map(({ source }) => markers.answer(source)).join("\n");
  const parts = answers.map(({ author, body, reply, paths }) => {
    const done = commit !== undefined && paths.length > 0 && `Changed in ${commit}: ${paths.map(codeSpan).join(", ")}.`;
    return paragraphs(shortQuote(`${author}: ${body}`), prose(reply), done);
  });
  return `${marks}\n${parts.join("\n\n---\n\n")}`;
}

/** The reply in a review thread. */
interface ThreadAnswer {
  /** id of what it answers, for its mark */
  source: string;
  /** title of the Developer who answers; "" for the Manager */
  developer: string;
  reply: string;
  /** the commit that changed the thread's file, if one did */
  commit?: string | undefined;
  /** absent: here; in its file: the thread is on no line of it */
  where?: "here" | "on other lines" | "in its file";
  /** the thread is a QA Engineer's, and what they asked for is done at the new head */
  settled?: boolean | undefined;
}

const CHANGED = {
  here: (commit: string) => `Changed in ${commit}.`,
  "on other lines": (commit: string) => `These lines are as they were. ${commit} changes others of this file.`,
  "in its file": (commit: string) => `${commit} changes this file.`,
} as const;

/** The one reply in a thread: what was done and in which commit, or why nothing was changed. */
export function threadAnswer({ source, developer, reply, commit, where = "here", settled }: ThreadAnswer): string {
  const who = `**${developer === "" ? "Manager" : plain(developer)}**`;
  return paragraphs(
    `${markers.answer(source)}\n${who}`,
    prose(reply),
    commit === undefined ? "Nothing was changed for this." : CHANGED[where](commit),
    settled && "The QA Engineer agrees that this is settled.",
  );
}
