import type { LineInterval } from "../../../model/line-edit.ts";

/**
 * Algorithm 3's split: the old part of each interval, exact, with its line terminators; "" for an insertion.
 * The intervals are those `checkIntervals` let pass.
 */
export function splitFile(lines: readonly string[], intervals: readonly LineInterval[]): string[] {
  return intervals.map(({ start, end }) => lines.slice(start - 1, end).join(""));
}
