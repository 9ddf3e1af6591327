import { failureLines } from "./failure-lines.ts";

/** What stands before a failure says which test or file it is; what follows is the assertion and the stack. */
const LINES_BEFORE = 4;
const LINES_AFTER = 24;
const MAX_NOTE_LENGTH = 40;

/**
 * The part of a cleaned log that tells the failure, at most `most` characters: the whole when it is short, else the
 * lines around the first failures, else its end. What is left out is said where it stood.
 */
export function cutLog(lines: readonly string[], most: number): string {
  const whole = lines.join("\n");
  if (whole.length <= most) return whole;
  const failures = failureLines(lines);
  const kept = failures.length > 0 ? around(lines, failures, most) : lastOf(lines, most);
  return withNotes(lines, kept);
}

function around(lines: readonly string[], failures: readonly number[], most: number): readonly number[] {
  const kept = new Set<number>();
  let left = most;
  for (const at of failures) {
    const last = Math.min(lines.length - 1, at + LINES_AFTER);
    for (let index = Math.max(0, at - LINES_BEFORE); index <= last; index++) {
      if (kept.has(index)) continue;
      // A piece that stands apart brings a note of what is left out before it.
      left -= (lines[index] ?? "").length + 1 + (kept.has(index - 1) ? 0 : MAX_NOTE_LENGTH);
      if (left < MAX_NOTE_LENGTH) return [...kept].sort((a, b) => a - b);
      kept.add(index);
    }
  }
  return [...kept].sort((a, b) => a - b);
}

function lastOf(lines: readonly string[], most: number): readonly number[] {
  let first = lines.length;
  for (let left = most - MAX_NOTE_LENGTH; first > 0; first--) {
    left -= (lines[first - 1] ?? "").length + 1;
    if (left < 0) break;
  }
  return lines.map((_, index) => index).slice(first);
}

function withNotes(lines: readonly string[], kept: readonly number[]): string {
  const shown: string[] = [];
  let next = 0;
  const skip = (to: number) => {
    if (to > next) shown.push(`[… ${to - next} ${to - next === 1 ? "line" : "lines"} left out …]`);
  };
  for (const index of kept) {
    skip(index);
    shown.push(lines[index] ?? "");
    next = index + 1;
  }
  skip(lines.length);
  return shown.join("\n");
}
