import { lineEditsBetween } from "./line-edits-between.ts";
import { splitLines } from "./split-lines.ts";

/**
 * Where line `line` (1-based) of one version of a file is in another: the same line when it was kept, else the line of
 * the replacement at its place, else the line that follows. Always a line of `after`; 1 when `after` has none.
 */
export function mapLine(before: readonly string[], after: readonly string[], line: number): number {
  let moved = 0;
  for (const { start, end, text } of lineEditsBetween(before, after)) {
    if (line < start) break;
    const count = splitLines(text).length;
    if (line <= end) return clamp(start + moved + Math.max(0, Math.min(line - start, count - 1)), after.length);
    moved += count - (end - start + 1);
  }
  return clamp(line + moved, after.length);
}

function clamp(line: number, lineCount: number): number {
  return Math.max(1, Math.min(line, lineCount));
}
