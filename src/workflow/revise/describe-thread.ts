import type { OpenThread } from "../../model/feedback.ts";
import { codeBlock } from "../../text/code-block.ts";

const HELD =
  "You have answered here before: do not argue again. Do what is asked, or say in one sentence that you leave the decision to them.";

/** A review thread in a task's description: where it is, the piece of the diff, and what was said, each text fenced. */
export function describeThread({ id, line, diffHunk, conversation, argued }: OpenThread): string {
  const place = line === undefined ? "about the file, or about lines that are no longer in the diff" : `line ${line}`;
  return [
    `Review thread ${id} (${place}):`,
    diffHunk !== "" && codeBlock(diffHunk, "diff"),
    ...conversation.map(({ author, own, body }) => `${own ? "The team" : author}:\n\n${codeBlock(body, "")}`),
    argued && HELD,
  ]
    .filter((part) => part)
    .join("\n\n");
}
