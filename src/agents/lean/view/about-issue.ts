import type { IssueSnapshot } from "../../../data/discussion.ts";
import type { IssueText } from "../../../search/ranking-types.ts";
import { extractFrames, type Frame } from "../../../search/read-mentions.ts";
import { codeWords, joinedName, lineScores, stemOf } from "../../../search/terms.ts";
import { issueTerms } from "../../../search/token-cache.ts";

/** The words of an issue and its discussion that decide which lines are shown. */
export interface AboutIssue {
  text: IssueText;
  /** by weight */
  terms: ReadonlyMap<string, number>;
  /** the identifiers that it writes as code */
  exact: ReadonlySet<string>;
  /** the lines that it links to */
  links: readonly Frame[];
}

/** `own`: the repository's name, which says nothing about a line of it. */
export function aboutIssue({ title, body, hint, discussion }: IssueSnapshot, own = ""): AboutIssue {
  const hints = [hint, ...discussion.map((comment) => comment.body)];
  const whole = [title, body, ...hints].join("\n");
  const text = { title, body, hints };
  const isOwn = (word: string) => stemOf(joinedName(word)) === stemOf(joinedName(own));
  return {
    text,
    terms: new Map([...issueTerms(text)].filter(([term]) => !isOwn(term))),
    exact: new Set([...codeWords(whole)].filter((word) => !isOwn(word))),
    links: extractFrames(whole).filter(({ end }) => end),
  };
}

/** How near a linked line is, where the best other is 1. */
const LINKED = 1.5;

/** How near each line of a file is to the issue; those that it links to are the nearest. */
export async function nearnessOf(
  path: string,
  lines: readonly string[],
  { terms, exact, links = [] }: Pick<AboutIssue, "terms"> & Partial<AboutIssue>,
): Promise<readonly number[]> {
  const scores = await lineScores(lines, terms, exact);
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  const linked = links.filter((link) => link.path.endsWith(`/${path}`));
  return scores.map((score, index) =>
    linked.some(({ line, end = line }) => line <= index + 1 && index + 1 <= end) ? LINKED * (best || 1) : score,
  );
}
