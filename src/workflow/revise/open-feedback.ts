import { readCommand } from "../../model/command.ts";
import type { OpenComment, OpenThread } from "../../model/discussion.ts";
import { commentOfThread, isOurs, ownMarks } from "../../model/marks.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { HostComment } from "../../ports/code-host.ts";
import type { HostReview, ReviewThread, ThreadComment } from "../../ports/pull-requests.ts";
import { stripHiddenText } from "../../text/strip-hidden.ts";

/** More comments than these wait for the next run. */
const MAX_COMMENTS = 20;

const MAX_BODY = 8_000;

/** Words of a command that ask for something on the pull request. */
export interface CommandHint {
  readonly commentId: number;
  readonly author: string;
  readonly hint: string;
}

/** What becomes of a text: what a reader sees of it, where it is to be used. */
type Reader = (body: string) => string;

/**
 * The words of submitted reviews and the plain comments of people who may write that the app has not answered, oldest
 * first; commands are none, but for the words of the one that the run was asked for with.
 */
export function findOpenComments(
  { reviews, comments }: { readonly reviews: readonly HostReview[]; readonly comments: readonly HostComment[] },
  login: string,
  mayWrite: (author: string) => boolean,
  asked: CommandHint | undefined,
  read: Reader = stripHiddenText,
): readonly OpenComment[] {
  const said = [
    ...reviews
      .filter(({ state }) => state !== "dismissed")
      .map(({ id, submittedAt, ...rest }) => ({ ...rest, source: `review-${id}`, at: submittedAt })),
    ...comments
      .filter(({ body }) => !readCommand(body))
      .map(({ id, createdAt, ...rest }) => ({ ...rest, source: `comment-${id}`, at: createdAt })),
  ];
  const answered = ownMarks("answer", comments, login);
  const open = said
    .filter(({ author, byBot, source }) => author !== login && !byBot && !answered.has(source) && mayWrite(author))
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
    .map(({ source, author, body }) => ({ source, author, body: read(body).trim().slice(0, MAX_BODY) }))
    .filter(({ body }) => body !== "");
  const hint = asked && !answered.has(`comment-${asked.commentId}`) && stripHiddenText(asked.hint).trim();
  const last = hint ? [{ source: `comment-${asked.commentId}`, author: asked.author, body: hint }] : [];
  return [...open.slice(0, MAX_COMMENTS), ...last].map((comment, at) => ({ ...comment, id: `re${at + 1}` }));
}

/** More threads than these wait for the next run: each is a reply, and may be resolved. */
const MAX_THREADS = 30;

const MAX_HUNK = 3_000;

/**
 * The unresolved threads in which a person who may write has spoken after the app's last word. Words of others are
 * left out of the conversation; texts are without what a reader of the host does not see.
 */
export function findOpenThreads(
  threads: readonly ReviewThread[],
  login: string,
  mayWrite: (author: string) => boolean,
  read: Reader = stripHiddenText,
): readonly OpenThread[] {
  const open = threads.flatMap((thread) => {
    const answered = answeredUpTo(thread, login);
    const isPerson = ({ author, byBot }: ThreadComment) => author !== login && !byBot && mayWrite(author);
    const isWord = ({ body }: ThreadComment) => !readCommand(body) && read(body).trim() !== "";
    const last = thread.comments.findLast((one) => one.id > answered && isPerson(one) && isWord(one));
    return thread.resolved || !last ? [] : [openThread(thread, last, { login, isPerson, read })];
  });
  return open.slice(0, MAX_THREADS).map((thread, at) => ({ ...thread, id: `th${at + 1}` }));
}

function openThread(
  thread: ReviewThread,
  last: ThreadComment,
  how: { readonly login: string; readonly isPerson: (comment: ThreadComment) => boolean; readonly read: Reader },
): Omit<OpenThread, "id"> {
  const { login, isPerson, read } = how;
  const shown = (body: string) => read(body).trim().slice(0, MAX_BODY);
  const { path, line, diffHunk, comments } = thread;
  const [first] = comments;
  const isQa = first !== undefined && ownMarks("qa", [first], login).size > 0;
  return {
    ...{ source: `thread-${last.id}`, author: last.author, thread: thread.id, path },
    ...(line !== undefined && { line }),
    diffHunk: diffHunk.slice(-MAX_HUNK),
    conversation: comments
      .filter((comment) => comment.author === login || isPerson(comment))
      .map(({ author, body }) => ({ author, own: author === login, body: shown(body) })),
    argued: ownMarks("answer", comments, login).size > 0,
    ...(isQa && { qaComment: shown(first.body).replace(/^.*\n\n/, "") }),
  };
}

/**
 * The id of the comment up to which the app (`login`) has answered in a thread. An answer names the comment that it
 * answers, so that what a person said while it was written stays open; any other word of the app answers all before it.
 */
function answeredUpTo({ comments }: ReviewThread, login: string): number {
  const own = comments.filter((comment) => isOurs(comment, login));
  const ids = own.flatMap((comment) => {
    const named = [...ownMarks("answer", [comment], login)].flatMap((source) => commentOfThread(source) ?? []);
    return named.length > 0 ? named : [comment.id];
  });
  return Math.max(0, ...ids);
}

/** What stands behind the command on the pull request that asked for the run, if anything. */
export function commandHint({ trigger, hint, actor }: RunRequest): CommandHint | undefined {
  if (trigger.kind !== "other-command") return undefined;
  const said = hint ?? ("hint" in trigger.command ? trigger.command.hint : "");
  return said.trim() === "" ? undefined : { commentId: trigger.commentId, author: actor, hint: said };
}
