import type { ChangeDescription } from "../../llm/manager.ts";
import { neutraliseMessage } from "../../text/neutralise-message.ts";
import { commitTitle } from "./commit-title.ts";

const WIDTH = 72;

/** A conventional commit message that closes the issue when it is merged, if the change is `whole`, and nothing else. */
export function commitMessage(
  { type, title: subject, solution }: ChangeDescription,
  issue: number,
  whole: boolean,
): { title: string; message: string } {
  const title = commitTitle(`${type}: ${subject.replace(/^\w+(\([^)]*\))?!?:\s*/, "")}`);
  const body = neutraliseMessage(solution).split("\n").map(wrap).join("\n").trim();
  return { title, message: `${title}\n\n${body}\n\n${whole ? "Fixes" : "Part of"} #${issue}\n` };
}

function wrap(paragraph: string): string {
  let line = "";
  const lines: string[] = [];
  for (const word of paragraph.split(/\s+/)) {
    const fits = line === "" || line.length + 1 + word.length <= WIDTH;
    if (!fits) lines.push(line);
    line = fits && line !== "" ? `${line} ${word}` : word;
  }
  return [...lines, line].join("\n");
}
