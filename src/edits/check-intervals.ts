import type { LineInterval } from "../model/line-edit.ts";

export type CheckedIntervals = { readonly ok: readonly LineInterval[] } | { readonly reason: string };

/**
 * Checks the intervals a model wants to change (P9) against a file of `lineCount` lines.
 * Gives them in the file's order, or what is wrong in words that the model can act on. Intervals may be adjacent; they
 * may not share a line, nor may one insert inside another or two insert at the same place (Algorithm 3).
 */
export function checkIntervals(intervals: readonly LineInterval[], lineCount: number): CheckedIntervals {
  if (intervals.length === 0)
    return { reason: "No interval was given. Give at least one interval of lines to change." };
  const faults = intervals.map((interval) => faultOf(interval, lineCount)).filter((fault) => fault !== undefined);
  if (faults.length > 0) return { reason: `${faults.join(" ")} ${extentOf(lineCount)}` };
  const ok = intervals
    .map(({ start, end }) => ({ start, end }))
    .sort((one, other) => one.start - other.start || one.end - other.end);
  const clashes = ok.slice(1).flatMap((interval, index) => clashOf(ok[index], interval) ?? []);
  return clashes.length > 0 ? { reason: clashes.join(" ") } : { ok };
}

function faultOf({ start, end }: LineInterval, lineCount: number): string | undefined {
  const name = nameOf({ start, end });
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end))
    return `Interval ${name} is not made of whole numbers.`;
  if (start < 1) return `Interval ${name} starts before line 1.`;
  if (end < start - 1) {
    return `Interval ${name} ends before it starts. To insert before line ${start} give start ${start} and end ${start - 1}.`;
  }
  if (start > lineCount + 1) return `Interval ${name} starts after the end of the file.`;
  return end > lineCount ? `Interval ${name} ends after the end of the file.` : undefined;
}

function clashOf(before: LineInterval | undefined, after: LineInterval): string | undefined {
  if (before === undefined) return undefined;
  const sameInsertion = isInsertion(before) && isInsertion(after) && before.start === after.start;
  if (sameInsertion) return `Two intervals insert before line ${after.start}: make one insertion of them.`;
  if (after.start > before.end) return undefined;
  return `Intervals ${nameOf(before)} and ${nameOf(after)} overlap: make one interval of them, or keep them apart.`;
}

function isInsertion({ start, end }: LineInterval): boolean {
  return end === start - 1;
}

function nameOf({ start, end }: LineInterval): string {
  return `[${start}, ${end}]`;
}

function extentOf(lineCount: number): string {
  if (lineCount === 0) return "The file is empty: insert with start 1 and end 0.";
  const last = lineCount === 1 ? "1 line" : `${lineCount} lines`;
  return `The file has ${last}; to append after the last one give start ${lineCount + 1} and end ${lineCount}.`;
}
