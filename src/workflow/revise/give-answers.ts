import { markers } from "../../model/markers.ts";
import { ownMarks } from "../../model/own-marks.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import type { ReviewThread } from "../../ports/pull-request-api.ts";
import { commentAnswers } from "../../report/comment-answers.ts";
import { threadAnswer } from "../../report/thread-answer.ts";
import type { Answers } from "./answers-of.ts";

/**
 * Posts one reply in each thread and one comment for all comments, unless they are there. A thread that a person opened
 * is left for that person to resolve; one of the QA Engineers is resolved when they found it settled.
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
    const isAnswered = found.comments.some(
      ({ author, body }) => author === host.login && body.includes(markers.answer(answer.source)),
    );
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

/** Somebody has spoken in the thread after what is answered: it is not over. */
function saidMore({ comments }: ReviewThread, source: string, login: string): boolean {
  return comments.some(({ id, author }) => author !== login && id > Number(source.replace("thread-", "")));
}
