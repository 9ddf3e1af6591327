import { markers } from "../model/marks.ts";
import { codeSpan, plain, prose, shortQuote } from "../text/compose-markdown.ts";

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

/** What the bot says in a review thread that people wait in. */
export interface ThreadAnswer {
  /** what it answers, for its mark */
  readonly source: string;
  /** title of the Developer who answers; "" for the Manager */
  readonly developer: string;
  readonly reply: string;
  /** the commit that changed the thread's file, if one did */
  readonly commit?: string | undefined;
  /** the thread is a QA Engineer's, and what they asked for is done at the new head */
  readonly settled?: boolean | undefined;
}

/** The one reply in a thread: what was done and in which commit, or why nothing was changed. */
export function threadAnswer({ source, developer, reply, commit, settled }: ThreadAnswer): string {
  const who = developer === "" ? "**Manager**" : `**${plain(developer)}** (Developer)`;
  return [
    `${markers.answer(source)}\n${who}`,
    prose(reply),
    commit === undefined ? "No file was changed for this." : `The change to this file is in ${commit}.`,
    settled && "The QA Engineer found this settled.",
  ]
    .filter((part) => part)
    .join("\n\n");
}
