import { either } from "../../search/patterns.ts";
import { figure } from "../../text/counted.ts";

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

/** How runners, compilers and linters begin a failure. */
const TELLING: readonly RegExp[] = [
  /^\s*(?:FAIL\b|● |✕ |✖ |× |not ok \d)/, // jest, vitest, mocha, node:test, TAP, go test
  /^(?:E {3}|FAILED |ERROR )|^_{3,} .+ _{3,}$|^=+ (?:FAILURES|ERRORS) =+$/, // pytest
  /^\s*--- FAIL: |^panic: |\.go:\d+:\d+: /, // go
  /^error(?:\[E\d+\])?: |panicked at |^test .+ \.\.\. FAILED$/, // cargo
  /^\[ERROR\] |^\s*<<< (?:FAILURE|ERROR)!|<<< (?:FAILURE|ERROR)!/, // maven
  /^\s+\d+:\d+\s+error\s/, // eslint
  /\berror TS\d+: /, // tsc
  /^Traceback \(most recent call last\)|^\s*(?:\w+\.)*\w*(?:Error|Exception)\b.*:/, // python, java, javascript
  /^\S+:\d+:\d+: (?:fatal )?error: /, // gcc, clang
  /^\s+\d+\) \S/, // rspec, phpunit, mocha's list
];

const LIKELY = /\b(?:errors?|fail(?:ed|ure|ures|s)?|exception|fatal|assert(?:ion)?\w*|cannot|undefined reference)\b/i;

/** Lines of every failed step, and of successes. */
const IDLE = either(
  "i",
  /^Error: Process completed with exit code|\b(?:0|no) (?:errors?|fail\w*)|(?:errors?|fail\w*)[:=] ?0\b/,
  /\bfail-fast\b|\bif-no-files-found\b|continue-on-error/,
  /^\[ERROR\] (?:-> )?\[?(?:Help|To see|Re-run|For more)|^\[ERROR\]\s*$/,
);

/**
 * Indices of the lines that show a failure. Once a known runner's form is found, words like "error" elsewhere are
 * noise.
 */
function failureLines(lines: readonly string[]): readonly number[] {
  const matching = (tells: (line: string) => boolean) =>
    lines.flatMap((line, index) => (tells(line) && !IDLE.test(line) ? [index] : []));
  const telling = matching((line) => TELLING.some((form) => form.test(line)));
  return telling.length > 0 ? telling : matching((line) => LIKELY.test(line));
}
