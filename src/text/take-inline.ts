import { commentEnd } from "./comment-end.ts";
import type { MarkdownScan } from "./markdown-scan.ts";
import { pushSegment } from "./push-segment.ts";

/**
 * Takes one line (the rest of one, behind a comment) into text, code spans and comments.
 * Gives the place to go on at: the line's end, or the end of a comment that reaches further.
 */
export function takeInline(scan: MarkdownScan, line: string): number {
  const token = /`+|<!--|<(?=[a-z/!?])|\\`/gi;
  const start = scan.at;
  let from = start;
  for (let found = token.exec(line); found !== null; found = token.exec(line)) {
    const at = start + found.index;
    const span = found[0].startsWith("`") ? spanEnd(scan, line, found.index, found[0].length) : undefined;
    const end = found[0] === "<!--" ? commentEnd(scan, start, at) : span === undefined ? undefined : start + span;
    if (span === undefined) scan.spans = false;
    if (end === undefined) continue;
    pushSegment(scan, "text", from, at);
    pushSegment(scan, span === undefined ? "comment" : "code", at, end);
    if (end > start + line.length) return end;
    from = end;
    token.lastIndex = end - start;
  }
  pushSegment(scan, "text", from, start + line.length);
  return start + line.length;
}

/** The end of the code span that a run of backticks opens, in the same line; undefined when that is not certain. */
function spanEnd(scan: MarkdownScan, line: string, index: number, length: number): number | undefined {
  if (!scan.trusted || !scan.spans || scan.html) return undefined;
  const run = /`+/g;
  run.lastIndex = index + length;
  for (let found = run.exec(line); found !== null; found = run.exec(line)) {
    if (found[0].length !== length) continue;
    const cell = line.slice(index, run.lastIndex).includes("|");
    return cell ? undefined : run.lastIndex;
  }
  return undefined;
}
