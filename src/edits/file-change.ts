import { MagisError } from "../model/error.ts";
import type { FileChange, LineEdit } from "../model/work.ts";
import { commonRuns } from "./common-lines.ts";
import { replaceIntervals } from "./line-edits.ts";
import { readText, splitLines, writeText } from "./text-file.ts";

/**
 * What a file's bytes become by a change; undefined when the change deletes it. `base` is the file at the base commit,
 * undefined when there is none. Throws MagisError ANSWER_INVALID when a change of lines meets no text file to change,
 * or lines that the file does not have.
 */
export function applyFileChange(change: FileChange, base: Uint8Array | undefined): Uint8Array | undefined {
  if (change.kind === "delete") return undefined;
  if (change.kind === "create") return new TextEncoder().encode(change.content);
  const file = base === undefined ? undefined : readText(base);
  if (file === undefined) {
    const fault = base === undefined ? "does not exist" : "is binary";
    throw new MagisError("ANSWER_INVALID", `${change.path} cannot be changed by lines: it ${fault}.`, {
      path: change.path,
    });
  }
  return writeText(replaceIntervals(file, change.edits));
}

const BOM_BYTES = 3;

/**
 * The change that makes `after` of `before` (undefined: the file does not exist), small enough to be kept; undefined
 * when nothing changed. `applyFileChange` of it on `before` gives `after`, byte by byte.
 * Throws MagisError ANSWER_INVALID when no line edits lead from one to the other (a binary file, a lost BOM).
 */
export function fileChangeBetween(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): FileChange | undefined {
  if (after === undefined) return before === undefined ? undefined : { kind: "delete", path };
  if (before !== undefined && Buffer.compare(before, after) === 0) return undefined;
  const change: FileChange =
    before === undefined
      ? { kind: "create", path, content: Buffer.from(after).toString("utf8") }
      : { kind: "modify", path, edits: editsBetween(path, before, after) };
  const made = applyFileChange(change, before);
  if (made === undefined || Buffer.compare(made, after) !== 0) throw impossible(path);
  return change;
}

/** `after` is read as `before` was: its own encoding may look different once the odd bytes are gone. */
function editsBetween(path: string, before: Uint8Array, after: Uint8Array) {
  const file = readText(before);
  if (file === undefined) throw impossible(path);
  const body = Buffer.from(file.bom ? after.subarray(BOM_BYTES) : after);
  return lineEditsBetween(file.lines, splitLines(body.toString(file.encoding)));
}

function impossible(path: string): MagisError {
  return new MagisError("ANSWER_INVALID", `The change of ${path} cannot be told as a change of lines.`, { path });
}

/**
 * Line edits that make `after` of `before` with `replaceIntervals`; lines carry their terminators. In the file's order,
 * not adjacent; the smallest set there is where few lines changed, see `commonRuns`.
 */
export function lineEditsBetween(before: readonly string[], after: readonly string[]): LineEdit[] {
  const head = commonHead(before, after);
  const tail = commonTail(before, after, head);
  const removed = before.slice(head, before.length - tail);
  const added = after.slice(head, after.length - tail);
  const edits: LineEdit[] = [];
  let [from, to] = [0, 0];
  for (const run of [...commonRuns(removed, added), { from: removed.length, to: added.length, length: 0 }]) {
    if (run.from > from || run.to > to) {
      edits.push({ start: head + from + 1, end: head + run.from, text: added.slice(to, run.to).join("") });
    }
    [from, to] = [run.from + run.length, run.to + run.length];
  }
  return edits;
}

function commonHead(before: readonly string[], after: readonly string[]): number {
  let count = 0;
  while (count < before.length && count < after.length && before[count] === after[count]) count += 1;
  return count;
}

function commonTail(before: readonly string[], after: readonly string[], head: number): number {
  const limit = Math.min(before.length, after.length) - head;
  let count = 0;
  while (count < limit && before[before.length - 1 - count] === after[after.length - 1 - count]) count += 1;
  return count;
}

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
