import type { ReviewThread } from "../../ports/pull-request-api.ts";

const ANSWER = /<!-- magis:answer thread-(\d+) -->/g;

/**
 * The id of the comment up to which the app (`login`) has answered in a thread. An answer names the comment that it
 * answers, so that what a person said while it was written stays open; any other word of the app answers all before it.
 */
export function answeredUpTo({ comments }: ReviewThread, login: string): number {
  const own = comments.filter(({ author }) => author === login);
  const ids = own.flatMap(({ id, body }) => {
    const named = [...body.matchAll(ANSWER)].map(([, answered]) => Number(answered));
    return named.length > 0 ? named : [id];
  });
  return Math.max(0, ...ids);
}
