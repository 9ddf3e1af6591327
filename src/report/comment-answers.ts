import { markers } from "../model/markers.ts";
import { codeSpan } from "../text/code-span.ts";
import { prose } from "../text/prose.ts";
import { shortQuote } from "../text/short-quote.ts";

/** What the bot says to one comment. */
export interface CommentAnswer {
  /** what it answers, for its mark */
  readonly source: string;
  readonly author: string;
  /** the comment's own words */
  readonly body: string;
  readonly reply: string;
  /** files that were changed for it */
  readonly paths: readonly string[];
}

/** The one comment that answers a batch of comments, each quoted shortly. */
export function commentAnswers(answers: readonly CommentAnswer[], commit: string | undefined): string {
  const marks = answers.map(({ source }) => markers.answer(source)).join("\n");
  const parts = answers.map(({ author, body, reply, paths }) => {
    const done = commit !== undefined && paths.length > 0 && `Changed in ${commit}: ${paths.map(codeSpan).join(", ")}.`;
    return [`${shortQuote(`${author}: ${body}`)}`, prose(reply), done].filter((part) => part).join("\n\n");
  });
  return `${marks}\n${parts.join("\n\n---\n\n")}`;
}
