/** A step of a job as the host reports it. */
export interface StepTimes {
  name: string;
  state: "passed" | "failed" | "neutral";
  /** milliseconds of its first and last second; absent: it did not run */
  from?: number;
  to?: number;
}

const STAMP = /^\uFEFF?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,7})?Z)/;

const SECOND = 1_000;

/**
 * The first line of every step that runs something. A program can print the same, so it only separates steps that
 * share a second.
 */
const BEGINS = "##[group]Run ";

/**
 * Splits the log of a job by its steps. The host reports the seconds in which a step began and ended, and every line
 * has a timestamp. Steps that share a second are split at the line that begins one. What cannot be split goes to each of
 * them, so that nothing is lost.
 */
export function splitSteps(log: string, steps: readonly StepTimes[]): readonly string[] {
  const lines = log.split("\n");
  const times = momentsOf(lines);
  const begun = steps.map((step) => beginOf(step, steps, { lines, times }));
  return steps.map(({ from, to }, at) => {
    if (from === undefined || to === undefined) return "";
    const first = begun[at] ?? times.findIndex((time) => time >= from);
    const next = begun.find((index, other) => other > at && index !== undefined && index > first);
    const end = times.findIndex((time, index) => index >= first && time >= to + SECOND);
    const last = Math.min(next ?? lines.length, end < 0 ? lines.length : end);
    return first < 0 ? "" : lines.slice(first, last).join("\n");
  });
}

/** The time of each line; one without a timestamp was printed with the line before it. */
function momentsOf(lines: readonly string[]): readonly number[] {
  let last = Number.NEGATIVE_INFINITY;
  return lines.map((line) => {
    const stamp = STAMP.exec(line)?.[1];
    const time = stamp === undefined ? Number.NaN : Date.parse(stamp);
    // A job's clock does not go back, so an earlier timestamp was printed by a program.
    if (time > last) last = time;
    return last;
  });
}

function beginOf(
  { from, name }: StepTimes,
  steps: readonly StepTimes[],
  { lines, times }: { lines: readonly string[]; times: readonly number[] },
): number | undefined {
  if (from === undefined) return undefined;
  const together = steps.filter((step) => step.from === from);
  const marks: number[] = [];
  for (let at = times.findIndex((time) => time >= from); at >= 0 && at < lines.length; at++) {
    if ((times[at] ?? 0) >= from + SECOND) break;
    if (lines[at]?.replace(STAMP, "").trimStart().startsWith(BEGINS)) marks.push(at);
  }
  const own = together.findIndex((step) => step.name === name);
  return marks.length === together.length ? marks[own] : undefined;
}
