import type { LineEdit } from "../model/line-edit.ts";
import { MagisError } from "../model/magis-error.ts";
import { checkIntervals } from "./check-intervals.ts";
import { splitLines } from "./split-lines.ts";
import type { TextFile } from "./text-file.ts";

/**
 * Algorithm 3's replace: puts each edit's text in the place of its interval, from the bottom up, so that no edit moves
 * the lines of another. Everything outside the intervals stays byte-exact; the texts are taken as they are.
 * Throws MagisError ANSWER_INVALID when the intervals do not fit the file.
 */
export function replaceIntervals(file: TextFile, edits: readonly LineEdit[]): TextFile {
  if (edits.length === 0) return file;
  const checked = checkIntervals(edits, file.lines.length);
  if ("reason" in checked) throw new MagisError("ANSWER_INVALID", checked.reason);
  const lines = [...file.lines];
  const bottomUp = [...edits].sort((one, other) => other.start - one.start || other.end - one.end);
  for (const { start, end, text } of bottomUp) lines.splice(start - 1, end - start + 1, text);
  return { ...file, lines: splitLines(lines.join("")) };
}
