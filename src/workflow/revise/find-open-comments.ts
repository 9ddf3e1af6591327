import type { OpenComment } from "../../model/feedback.ts";
import { ownMarks } from "../../model/own-marks.ts";
import { readCommand } from "../../model/read-command.ts";
import type { HostComment } from "../../ports/issue-api.ts";
import type { HostReview } from "../../ports/pull-request-api.ts";
import { stripHiddenText } from "../../text/strip-hidden-text.ts";

/** More comments than these wait for the next run. */
const MAX_COMMENTS = 20;
const MAX_BODY = 8_000;

/** Words of a command that ask for something on the pull request. */
export interface AskedWords {
  readonly commentId: number;
  readonly author: string;
  readonly words: string;
}

/**
 * The words of submitted reviews and the plain comments of people who may write that the app has not answered, oldest
 * first; commands are none, but for the words of the one that the run was asked for with.
 */
export function findOpenComments(
  { reviews, comments }: { readonly reviews: readonly HostReview[]; readonly comments: readonly HostComment[] },
  login: string,
  mayWrite: (author: string) => boolean,
  asked: AskedWords | undefined,
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
    .map(({ source, author, body }) => ({ source, author, body: stripHiddenText(body).trim().slice(0, MAX_BODY) }))
    .filter(({ body }) => body !== "");
  const words = asked && !answered.has(`comment-${asked.commentId}`) && stripHiddenText(asked.words).trim();
  const last = words ? [{ source: `comment-${asked.commentId}`, author: asked.author, body: words }] : [];
  return [...open.slice(0, MAX_COMMENTS), ...last].map((comment, at) => ({ ...comment, id: `re${at + 1}` }));
}
