import type { IssueSnapshot } from "../../../../model/discussion.ts";
import type { IssueText } from "../../../../search/ranking-types.ts";
import { codeWords } from "../../../../search/terms.ts";
import { issueTerms } from "../../../../search/token-cache.ts";

const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]{3,}/gu;

/** The words of an issue and its discussion that decide which lines are shown. */
export interface AboutIssue {
  readonly text: IssueText;
  /** by weight */
  readonly terms: ReadonlyMap<string, number>;
  /** all its identifiers */
  readonly said: ReadonlySet<string>;
  /** those that it writes as code */
  readonly exact: ReadonlySet<string>;
}

export function aboutIssue({ title, body, hint, discussion }: IssueSnapshot): AboutIssue {
  const hints = [hint, ...discussion.map((comment) => comment.body)];
  const text = { title, body, hints };
  const all = [title, body, ...hints].join("\n");
  return { text, terms: issueTerms(text), said: new Set(all.match(IDENTIFIER) ?? []), exact: codeWords(all) };
}
