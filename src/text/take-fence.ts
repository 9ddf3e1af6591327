import type { MarkdownScan } from "./markdown-scan.ts";
import { pushSegment } from "./push-segment.ts";

const CLOSING = /^ {0,3}(`{3,}|~{3,})[ \t]*\n?$/;

/** Takes a fenced code block that opens at the scan's place, at the margin; false when there is none for certain. */
export function takeFence(scan: MarkdownScan): boolean {
  if (!scan.trusted || scan.html || scan.inLine) return false;
  const opening = /(`{3,})[^`\n]*(?:\n|$)|(~{3,})[^\n]*(?:\n|$)/y;
  opening.lastIndex = scan.at;
  const found = opening.exec(scan.text);
  if (found === null) return false;
  const mark = found[1] ?? found[2] ?? "";
  const end = endOfFence(scan.text, opening.lastIndex, mark);
  pushSegment(scan, "code", scan.at, end);
  scan.at = end;
  scan.spans = true;
  return true;
}

function endOfFence(text: string, from: number, mark: string): number {
  for (let at = from; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline + 1;
    const closing = CLOSING.exec(text.slice(at, end))?.[1];
    if (closing?.[0] === mark[0] && closing !== undefined && closing.length >= mark.length) return end;
    at = end;
  }
  return text.length;
}
