import type { OpenThread } from "../../model/feedback.ts";
import { readCommand } from "../../model/read-command.ts";
import type { ReviewThread, ThreadComment } from "../../ports/pull-request-api.ts";
import { stripHiddenText } from "../../text/strip-hidden-text.ts";
import { answeredUpTo } from "./answered-up-to.ts";

/** More threads than these wait for the next run. */
const MAX_THREADS = 40;
/** characters of one comment, and of a diff hunk, whose end is what the thread is about */
const MAX_BODY = 8_000;
const MAX_HUNK = 3_000;

/**
 * The unresolved threads in which a person who may write has spoken after the app's last word. Words of others are
 * left out of the conversation; texts are without what a reader of the host does not see.
 */
export function findOpenThreads(
  threads: readonly ReviewThread[],
  login: string,
  mayWrite: (author: string) => boolean,
): readonly OpenThread[] {
  const open = threads.flatMap((thread) => {
    const answered = answeredUpTo(thread, login);
    const isPerson = ({ author, byBot }: ThreadComment) => author !== login && !byBot && mayWrite(author);
    const isWord = ({ body }: ThreadComment) => !readCommand(body) && stripHiddenText(body).trim() !== "";
    const last = thread.comments.findLast((one) => one.id > answered && isPerson(one) && isWord(one));
    return thread.resolved || !last ? [] : [openThread(thread, last, login, isPerson)];
  });
  return open.slice(0, MAX_THREADS).map((thread, at) => ({ ...thread, id: `th${at + 1}` }));
}

function openThread(
  thread: ReviewThread,
  last: ThreadComment,
  login: string,
  isPerson: (comment: ThreadComment) => boolean,
): Omit<OpenThread, "id"> {
  const { path, line, diffHunk, comments } = thread;
  const [first] = comments;
  const isQa = first?.author === login && first.body.includes("<!-- magis:qa ");
  return {
    ...{ source: `thread-${last.id}`, author: last.author, thread: thread.id, path },
    ...(line !== undefined && { line }),
    diffHunk: diffHunk.slice(-MAX_HUNK),
    conversation: comments
      .filter((comment) => comment.author === login || isPerson(comment))
      .map(({ author, body }) => ({ author, own: author === login, body: shown(body) })),
    argued: comments.some(({ author, body }) => author === login && body.includes("<!-- magis:answer ")),
    ...(isQa && { qaComment: shown(first.body).replace(/^.*\n\n/, "") }),
  };
}

const shown = (body: string) => stripHiddenText(body).trim().slice(0, MAX_BODY);
