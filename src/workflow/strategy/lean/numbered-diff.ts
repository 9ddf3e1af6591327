import { splitLines } from "../../../edits/split-lines.ts";
import { stripTerminator } from "../../../edits/strip-terminator.ts";

const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/**
 * A file's unified diff for a reader who has to name lines: each line of the new file with its number, `+` for the new
 * ones, and the lines that went away without a number, after `-`; hunks apart by `⋮`. The header is left out.
 */
export function numberedDiff(diff: string): string {
  const shown: string[] = [];
  let line: number | undefined;
  for (const text of splitLines(diff).map(stripTerminator)) {
    const hunk = HUNK.exec(text);
    if (hunk) {
      if (line !== undefined) shown.push("⋮");
      line = Number(hunk[1]);
      continue;
    }
    if (line === undefined || text.startsWith("\\")) continue;
    const removed = text.startsWith("-");
    const number = removed ? "" : String(line);
    shown.push(`${number.padStart(5)} ${text[0] ?? " "} ${text.slice(1)}`.trimEnd());
    if (!removed) line += 1;
  }
  return shown.join("\n");
}
