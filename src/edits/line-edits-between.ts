import { diffArrays } from "diff";
import type { LineEdit } from "../model/line-edit.ts";

/** Beyond this many changed lines a minimal diff takes seconds (Myers is quadratic in them) and helps nobody. */
const MAX_CHANGED_LINES = 2000;

/**
 * The smallest set of line edits that makes `after` of `before` with `replaceIntervals`; lines carry their terminators.
 * In the file's order, not adjacent. Of more than 2000 changed lines it makes one edit.
 */
export function lineEditsBetween(before: readonly string[], after: readonly string[]): LineEdit[] {
  const head = commonHead(before, after);
  const tail = commonTail(before, after, head);
  const removed = before.slice(head, before.length - tail);
  const added = after.slice(head, after.length - tail);
  if (removed.length === 0 && added.length === 0) return [];
  const runs =
    removed.length > 0 && added.length > 0
      ? diffArrays(removed, added, { maxEditLength: MAX_CHANGED_LINES })
      : undefined;
  if (runs === undefined) return [{ start: head + 1, end: head + removed.length, text: added.join("") }];
  const edits: LineEdit[] = [];
  let line = head + 1;
  let open: { start: number; end: number; text: string } | undefined;
  for (const run of runs) {
    if (!run.added && !run.removed) {
      if (open !== undefined) edits.push(open);
      open = undefined;
      line += run.count;
      continue;
    }
    open ??= { start: line, end: line - 1, text: "" };
    if (run.added) open.text += run.value.join("");
    else {
      line += run.count;
      open.end = line - 1;
    }
  }
  return open === undefined ? edits : [...edits, open];
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
