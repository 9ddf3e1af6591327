import { figure } from "../../text/counted.ts";
import { either } from "../../text/patterns.ts";
import { failureLines } from "./read-test-log.ts";

/** Lines before a failure name its test or file; lines after it have the assertion and the stack. */
const LINES_BEFORE = 4;

const LINES_AFTER = 24;

const MAX_NOTE_LENGTH = 40;

/**
 * The part of a cleaned log that shows the failure, at most `most` characters: all of a short log, else the lines
 * around the first failures, else its end. A note stands in place of what is left out.
 */
export function cutLog(lines: readonly string[], most: number): string {
  const whole = lines.join("\n");
  if (whole.length <= most) return whole;
  const failures = tellingLines(lines);
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
      // A separate piece adds a note on what is left out before it.
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
    if (to > next) shown.push(`[… ${figure(to - next, "line")} left out …]`);
  };
  for (const index of kept) {
    skip(index);
    shown.push(lines[index] ?? "");
    next = index + 1;
  }
  skip(lines.length);
  return shown.join("\n");
}

const LIKELY = /\b(?:errors?|fail(?:ed|ure|ures|s)?|exception|fatal|assert(?:ion)?\w*|cannot|undefined reference)\b/i;

/** Lines of every failed step, and of successes. */
const IDLE = either(
  "i",
  /^Error: Process completed with exit code|\b(?:0|no) (?:errors?|fail\w*)|(?:errors?|fail\w*)[:=] ?0\b/,
  /\bfail-fast\b|\bif-no-files-found\b|continue-on-error/,
  /^\[ERROR\] (?:-> )?\[?(?:Help|To see|Re-run|For more)|^\[ERROR\]\s*$/,
);

/** Once a runner's or compiler's own form is found, words like "error" elsewhere are noise. */
function tellingLines(lines: readonly string[]): readonly number[] {
  const telling = failureLines(lines);
  if (telling.length > 0) return telling;
  return lines.flatMap((line, at) => (LIKELY.test(line) && !IDLE.test(line) ? [at] : []));
}
