import { addTo } from "../../model/add-to.ts";
import type { LogPlace } from "../../model/checks.ts";
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

/** `path:3`, `path:3:5`, `path(3,5)`, `path:[3,5]`: most compilers, stacks and test runners. */
const PLACE = new RegExp(
  [
    /(?:^|[\s("'`=<|>])((?:file:\/\/)?(?:[A-Za-z]:)?[\w@.\-+/\\~$[\]]*[\w-]\.[A-Za-z]\w{0,9})/,
    /(?::(\d+)(?::\d+)?|\((\d+)(?:,\d+)?\)|:\[(\d+),\d+\])/,
  ]
    .map(({ source }) => source)
    .join(""),
  "g",
);

const PYTHON = /File "([^"]+)", line (\d+)/g;

/** Linters name the file on its own line, and the places below. */
const HEADING = /^\s*(\S+\.[A-Za-z]\w{0,9})$/;

const UNDER_HEADING = /^\s+(\d+):(\d+)\s+(?:error|warning)\s/;

const MAX_PLACES = 40;

/**
 * The files and lines of the repository that a log names, each once, in order. `paths` are the
 * repository's files; a path on the machine that ran the job means the file at its end.
 */
export function findPlaces(log: string, paths: Iterable<string>): readonly LogPlace[] {
  const find = createPathFinder(paths);
  const places = new Map<string, LogPlace>();
  const add = (named: string | undefined, line: string | undefined) => {
    const path = named === undefined || places.size >= MAX_PLACES ? undefined : find(named);
    const number = Number(line);
    if (path !== undefined && number > 0) places.set(`${path}:${number}`, { path, line: number });
  };
  let heading: string | undefined;
  for (const text of log.split("\n")) {
    const below = UNDER_HEADING.exec(text);
    if (below) add(heading, below[1]);
    else heading = HEADING.exec(text)?.[1];
    for (const [, path, line] of text.matchAll(PYTHON)) add(path, line);
    for (const [, path, colon, bracket, square] of text.matchAll(PLACE)) add(path, colon ?? bracket ?? square);
  }
  return [...places.values()];
}

/** The beginning of a path on the machine that ran a job, up to the work tree. */
const WORK_TREE =
  /^(?:.*\/(?:work|_work|__w|a)\/([^/]+)\/\1|\/github\/workspace|\/builds\/[^/]+\/[^/]+|\/?workspace|\/app)\//;

const FOREIGN = /(?:^|\/)(?:node_modules|site-packages|dist-packages|\.cargo\/registry|\.m2|vendor\/bundle)\//;

/**
 * Gives the file of the repository that a path in a log means, if that is clear: the same path, a path on the
 * machine that ran the job, or the end of exactly one of the repository's `paths`.
 */
export function createPathFinder(paths: Iterable<string>): (named: string) => string | undefined {
  const known = new Set<string>();
  const byName = new Map<string, string[]>();
  const byEnding = new Map<string, ReadonlyMap<string, string | undefined>>();
  const endingsFor = (name: string) => {
    const endings = byEnding.get(name) ?? endingsIn(byName.get(name) ?? []);
    byEnding.set(name, endings);
    return endings;
  };
  for (const path of paths) {
    known.add(path);
    if (path.length > MAX_PATH) continue;
    const name = path.slice(path.lastIndexOf("/") + 1);
    addTo(byName, name, path);
  }

  return (named) => {
    if (named.length > MAX_PATH) return undefined;
    const path = named
      .replace(/^file:\/\//, "")
      .replace(/^[A-Za-z]:(?=[\\/])/, "")
      .replaceAll("\\", "/")
      .replace(/^(?:\.\/)+/, "");
    if (FOREIGN.test(path)) return known.has(path) ? path : undefined;
    const inTree = path.replace(WORK_TREE, "");
    if (known.has(inTree)) return inTree;
    const ending = endingsFor(inTree.slice(inTree.lastIndexOf("/") + 1)).get(inTree);
    return ending ?? (path.startsWith("/") ? beginningIn(path, known) : undefined);
  };
}

/** Linux knows no longer path. */
const MAX_PATH = 4_096;

/** For each end of `paths`, as a monorepo's logs name them, the path; undefined where several end with it. */
function endingsIn(paths: readonly string[]): ReadonlyMap<string, string | undefined> {
  const endings = new Map<string, string | undefined>();
  for (const path of paths) {
    for (const ending of endingsOf(path)) endings.set(ending, endings.has(ending) ? undefined : path);
  }
  return endings;
}

/** What stands behind each slash of a path, the longest first. */
const endingsOf = (path: string): readonly string[] =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(index + 1));

/** The longest of the known paths that the named one ends with; a bare file name is too little. */
const beginningIn = (named: string, known: ReadonlySet<string>): string | undefined =>
  endingsOf(named).find((path) => path.includes("/") && known.has(path));
