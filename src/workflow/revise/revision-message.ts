import type { ChangeDescription } from "../../llm/manager.ts";
import type { Feedback } from "../../model/feedback.ts";
import { neutraliseMessage } from "../../text/neutralise-message.ts";
import { commitMessage } from "../publish/commit-message.ts";

const MAX_LINES = 20;
const MAX_WORDS = 100;

/** A conventional commit message of a revision: what changed, what the review asked for, and for which issue. */
export function revisionMessage(words: ChangeDescription, issue: number, { threads, comments }: Feedback): string {
  const asked = [
    ...threads.map(({ path, author, conversation }) => ({
      where: `${path}, `,
      author,
      body: conversation.findLast(({ own }) => !own)?.body ?? "",
    })),
    ...comments.map(({ author, body }) => ({ where: "", author, body })),
  ];
  const lines = asked.slice(0, MAX_LINES).map(({ where, author, body }) => `- ${where}${author}: ${beginning(body)}`);
  const { message } = commitMessage(words, issue, false);
  const [footer = "", ...rest] = message.trimEnd().split("\n\n").reverse();
  return [...rest.reverse(), `The review asked for:\n${neutraliseMessage(lines.join("\n"))}`, `${footer}\n`].join(
    "\n\n",
  );
}

function beginning(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS).replace(/[\ud800-\udbff]$/, "")}…` : line;
}
