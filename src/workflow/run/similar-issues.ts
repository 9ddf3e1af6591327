import type { IssueSnapshot, SimilarIssue } from "../../model/discussion.ts";
import type { HostIssue } from "../../ports/code-host.ts";
import { likenessOf } from "../../search/like-texts.ts";
import { stripHiddenTitle } from "../../text/strip-hidden.ts";

const MOST = 3;

/** The least share of the score that the issue itself has. */
const LEAST = 0.3;

/**
 * The few of `others` that say much the same as the issue, the most similar first: it may be a duplicate, or resolved
 * already. What `own` wrote is left out, since the bot's pull requests repeat their issues. Ranked by lunr.
 */
export async function similarIssues(
  { number, title, body }: Pick<IssueSnapshot, "number" | "title" | "body">,
  others: readonly HostIssue[],
  own: string,
): Promise<readonly SimilarIssue[]> {
  const compared = others.filter((one) => one.number !== number && one.author !== own);
  const [itself = 0, ...scores] = await likenessOf([{ title, body }, ...compared], { title, body });
  return compared
    .map((one, at) => ({ ...one, score: scores[at] ?? 0 }))
    .filter(({ score }) => score > itself * LEAST)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ number, isPullRequest, open, title }) => ({ number, isPullRequest, open, title: stripHiddenTitle(title) }));
}
