import { isCommand } from "../../data/command.ts";
import type { Feedback, OpenComment, OpenThread, Utterance } from "../../data/discussion.ts";
import { commentOfThread, isOurs, markers, nextTask, ownMarks } from "../../data/marks.ts";
import type { RunRequest } from "../../data/run-request.ts";
import type { CodeHost, HostComment, HostPullRequest, ReviewThread, ThreadComment } from "../../github/code-host.ts";
import { stepBack } from "../../publish/follow-up.ts";
import { roundsNote } from "../../report/follow-up.ts";
import { sayOnce } from "../../report/tracking-comment.ts";
import { peopleWhoMayWrite } from "../../run/declined.ts";
import { findOrigin, type Origin } from "../../run/origin.ts";
import type { RunContext } from "../../run/run-context.ts";
import { cutBeginning, cutEnd } from "../../text/cut.ts";
import { type Rendered, shownText, shownWords } from "../../text/shown-text.ts";
import { type Said, type Voices, voicesOf } from "./voices.ts";

/** What a revision works on: the feedback, and the pull request at the time of reading. */
export interface Batch {
  pull: HostPullRequest;
  feedback: Feedback;
  /** earlier plain comments, including the bot's answers */
  conversation: readonly Utterance[];
  origin: Origin;
  /** number of the revision's first task, so that QA comments have unique ids across all runs on a pull request */
  firstTask: number;
}

/** Why there is nothing for this run to do. */
export type NothingToDo = "closed" | "answered" | "given-up" | "stepped-back";

const MAX_SPEECHES = 12;

const MAX_SPEECH = 4_000;

/**
 * Reads all open feedback. There is nothing to do when the pull request is closed, everything is answered, an earlier
 * run failed on it and nobody has said more, or a person has taken over the branch, which is reported once.
 */
export async function readFeedback(run: RunContext): Promise<Batch | { nothing: NothingToDo }> {
  const { request, host } = run;
  const found = await host.readPullRequest(request.issue);
  const head = found.open && found.byApp ? await host.branchTip(found.branch) : undefined;
  if (head === undefined) return { nothing: "closed" };
  const pull = { ...found, head };
  const asked = request.work.kind === "revise" && request.work.because === "command";
  const said = {
    threads: await host.listThreads(pull.number),
    reviews: await host.listReviews(pull.number),
    comments: await host.listComments(pull.number),
  };
  // Check who may write before reading what they wrote.
  const voices = (mayWrite: (author: string) => boolean) =>
    voicesOf(said, host.login, { mayWrite, asked, allowedBots: run.settings.allowedBots });
  const all = voices(() => true);
  for (const bot of all.exhausted) {
    const marker = markers.botRounds(bot);
    await sayOnce(host, pull.number, marker, roundsNote(bot, marker));
  }
  const command = await commandHint(request, host);
  const everybody = openFeedback(said, host.login, all, command, ({ body }) => body);
  if (isEmpty(everybody)) return { nothing: "answered" };
  const people = await peopleWhoMayWrite(host, authorsOf(said, host.login));
  const known = voices((author) => people.has(author));
  const feedback = openFeedback(said, host.login, known, command);
  if (isEmpty(feedback)) return { nothing: "answered" };
  const abandoned = ownMarks("unanswered", said.comments, host.login);
  if (!asked && sourcesOf(feedback).every((source) => abandoned.has(source))) return { nothing: "given-up" };
  if (!asked && (await stepBack(host, pull, await host.listCommits(pull.number)))) return { nothing: "stepped-back" };
  const origin = await findOrigin(pull, run);
  const inThreads = said.threads.flatMap(({ comments }) => comments);
  const firstTask = nextTask(inThreads, origin.roles.length, host.login);
  const conversation = conversationOf(said.comments, feedback, host.login, known);
  return { pull, feedback, conversation, origin, firstTask };
}

function openFeedback(
  said: Said,
  login: string,
  voices: Voices,
  asked: CommandHint | undefined,
  read?: Reader,
): Feedback {
  return {
    threads: findOpenThreads(said.threads, login, voices, read),
    comments: findOpenComments(said, login, voices, asked, read),
  };
}

const isEmpty = ({ threads, comments }: Feedback) => threads.length + comments.length === 0;

const sourcesOf = ({ threads, comments }: Feedback) => [...threads, ...comments].map(({ source }) => source);

function authorsOf({ threads, reviews, comments }: Said, login: string): string[] {
  const open = threads.filter(({ resolved }) => !resolved).flatMap((thread) => thread.comments);
  return [...open, ...reviews, ...comments]
    .filter(({ author, byBot }) => author !== login && !byBot)
    .map(({ author }) => author);
}

function conversationOf(
  comments: readonly HostComment[],
  feedback: Feedback,
  login: string,
  { heard }: Voices,
): Utterance[] {
  return comments
    .filter((one) => one.author === login || (heard(one) && isAnswered(one.id)))
    .slice(-MAX_SPEECHES)
    .map((one) => ({ author: one.author, own: one.author === login, body: cutEnd(shownText(one), MAX_SPEECH) }));

  function isAnswered(id: number): boolean {
    return !feedback.comments.some(({ source }) => source === `comment-${id}`);
  }
}

/** More comments than these wait for the next run. */
const MAX_COMMENTS = 20;

const MAX_BODY = 8_000;

/** Words of a command that ask for something on the pull request. */
interface CommandHint {
  commentId: number;
  author: string;
  hint: string;
}

/** Gives what a reader sees of a text. */
type Reader = (text: Rendered) => string;

/**
 * The words of submitted reviews and the plain comments that the app has heard and not answered, oldest first. Commands
 * do not count, except for the text of the one that started the run.
 */
export function findOpenComments(
  { reviews, comments }: Pick<Said, "reviews" | "comments">,
  login: string,
  voices: Voices,
  asked: CommandHint | undefined,
  read: Reader = shownText,
): readonly OpenComment[] {
  const said = [
    ...reviews
      .filter(({ state }) => state !== "dismissed")
      .map(({ id, submittedAt, ...rest }) => ({ ...rest, source: `review-${id}`, at: submittedAt })),
    ...comments
      .filter(({ body }) => !isCommand(body))
      .map(({ id, createdAt, ...rest }) => ({ ...rest, source: `comment-${id}`, at: createdAt })),
  ];
  const answered = ownMarks("answer", comments, login);
  const open = said
    .filter((one) => !answered.has(one.source) && voices.heard(one) && !voices.answered(one))
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
    .map((one) => ({ source: one.source, author: one.author, body: cutEnd(read(one).trim(), MAX_BODY) }))
    .filter(({ body }) => body !== "");
  const hint = asked && !answered.has(`comment-${asked.commentId}`) && asked.hint;
  const last = hint ? [{ source: `comment-${asked.commentId}`, author: asked.author, body: hint }] : [];
  return [...open.slice(0, MAX_COMMENTS), ...last].map((comment, at) => ({ ...comment, id: `re${at + 1}` }));
}

/** More threads than these wait for the next run: each is a reply, and may be resolved. */
const MAX_THREADS = 30;

const MAX_HUNK = 3_000;

/**
 * The unresolved threads in which somebody whom the app hears has written after its last reply. The conversation leaves
 * out other people's comments and all hidden text.
 */
export function findOpenThreads(
  threads: readonly ReviewThread[],
  login: string,
  { heard, answered: hadRound }: Voices,
  read: Reader = shownText,
): readonly OpenThread[] {
  const open = threads.flatMap((thread) => {
    const answered = answeredUpTo(thread, login);
    const isWord = (one: ThreadComment) => !isCommand(one.body) && read(one).trim() !== "";
    const since = thread.comments.slice(answered);
    const last = since.findLast((one) => heard(one) && !hadRound(one) && isWord(one));
    return thread.resolved || !last ? [] : [openThread(thread, last, { login, heard, read })];
  });
  return open.slice(0, MAX_THREADS).map((thread, at) => ({ ...thread, id: `th${at + 1}` }));
}

function openThread(
  thread: ReviewThread,
  last: ThreadComment,
  how: { login: string; heard: Voices["heard"]; read: Reader },
): Omit<OpenThread, "id"> {
  const { login, heard, read } = how;
  const shown = (text: Rendered) => cutEnd(read(text).trim(), MAX_BODY);
  const { path, line, startLine, diffHunk, comments } = thread;
  const [first] = comments;
  const isQa = first !== undefined && ownMarks("qa", [first], login).size > 0;
  return {
    source: `thread-${last.id}`,
    author: last.author,
    thread: thread.id,
    path,
    line,
    startLine,
    diffHunk: cutBeginning(diffHunk, MAX_HUNK),
    conversation: comments
      .filter((comment) => comment.author === login || heard(comment))
      .map((one) => ({ author: one.author, own: one.author === login, body: shown(one) })),
    argued: ownMarks("answer", comments, login).size > 0,
    qaComment: isQa ? shown(first).replace(/^.*\n\n/, "") : undefined,
  };
}

/**
 * How many of a thread's comments the app (`login`) has answered, from the first on. An answer names the comment that it
 * answers, so that what a person writes meanwhile stays open; any other reply of the app answers everything before it.
 * Ids tell only where the named comment is gone: a review's draft has one before others see it.
 */
function answeredUpTo({ comments }: ReviewThread, login: string): number {
  const upTo = (id: number) =>
    comments.findIndex((one) => one.id === id) + 1 || comments.findLastIndex((one) => one.id < id) + 1;
  const answered = comments.flatMap((comment, at) => {
    if (!isOurs(comment, login)) return [];
    const named = [...ownMarks("answer", [comment], login)].flatMap((source) => commentOfThread(source) ?? []);
    return named.length > 0 ? named.map(upTo) : [at + 1];
  });
  return Math.max(0, ...answered);
}

/** The text after the command that started the run, if any, as GitHub shows it. */
async function commandHint({ trigger, hint, actor }: RunRequest, host: CodeHost): Promise<CommandHint | undefined> {
  if (trigger.kind !== "other-command") return undefined;
  const said = hint ?? ("hint" in trigger.command ? trigger.command.hint : "");
  if (said.trim() === "") return undefined;
  return { commentId: trigger.commentId, author: actor, hint: await shownWords(said, host.renderText) };
}
