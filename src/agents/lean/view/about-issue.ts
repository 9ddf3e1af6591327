import type { IssueSnapshot } from "../../../data/discussion.ts";
import type { IssueText } from "../../../search/ranking-types.ts";
import { codeWords } from "../../../search/terms.ts";
import { issueTerms } from "../../../search/token-cache.ts";

/** The words of an issue and its discussion that decide which lines are shown. */
export interface AboutIssue {
  readonly text: IssueText;
  /** by weight */
  readonly terms: ReadonlyMap<string, number>;
  /** the identifiers that it writes as code */
  readonly exact: ReadonlySet<string>;
}

export function aboutIssue({ title, body, hint, discussion }: IssueSnapshot): AboutIssue {
  const hints = [hint, ...discussion.map((comment) => comment.body)];
  const text = { title, body, hints };
  return { text, terms: issueTerms(text), exact: codeWords([title, body, ...hints].join("\n")) };
}
