import type { RanStep, ReportedFailure } from "../../data/test-results.ts";
import type { FailureCause } from "../../data/verdict.ts";
import { joinAlike } from "../../text/patterns.ts";
import { buildFault, causeOf } from "./causes.ts";
import { cleanLog, placesOf, streamsOf, wordsOf } from "./clean-log.ts";
import { type CountedTests, countTests } from "./count-tests.ts";
import { type Head, RUNNERS, type Runner } from "./runners.ts";

/** What a log says about failures. */
export interface LogReading {
  formats: readonly string[];
  failures: readonly ReportedFailure[];
  /** the tests that ran, as the runners sum up; absent: none does, or not consistently */
  counted?: CountedTests;
  /** a fault outside the tests, such as a build that failed before them; absent: none found */
  broken?: { cause: FailureCause; words: string };
  /** its lines, cleaned */
  lines: readonly string[];
}

/** How many characters of a log are read, from its end. */
const MAX_LOG = 12_000_000;

const MAX_FAILURES = 200;

/** The most mentions of failures: a log with more is broken, or hostile. */
const MAX_REPORTED = 3_000;

const ANY_SIGN = joinAlike(RUNNERS.map(({ seen }) => seen));

/** Reads the log of a job. Never throws; takes time in proportion to the log's length. */
export function readTestLog(log: string): LogReading {
  const lines = cleanLog(log.slice(-MAX_LOG));
  const formats = new Set<string>();
  const found: Reported[] = [];
  // Tests that passed when retried; the stream of one prefix may not show it.
  const passed = new Set<string>();
  for (const stream of streamsOf(lines)) {
    for (const runner of runnersOf(stream)) {
      if (found.length >= MAX_REPORTED) break;
      formats.add(runner.name);
      found.push(...scan(stream, runner, passed));
    }
  }
  const named = found.some(({ format }) => !format.programs) ? found.filter(({ format }) => !format.programs) : found;
  const last = named.filter((one) => !passed.has(keyOf(one)));
  const failures = withoutParents(merge(last)).slice(0, MAX_FAILURES).map(closed);
  return { formats: [...formats], failures, counted: countTests(lines), broken: brokenIn(lines), lines };
}

/**
 * A step of a job, or a command, by what it printed. Names the tests that ran only where that agrees with how the step
 * ended: if a step passed and its output sums up failures, those are not its runner's.
 */
export function readStep(name: string, state: RanStep["state"], log: string): RanStep {
  const { failures, counted, broken, lines } = readTestLog(log);
  const agrees = counted !== undefined && (state === "failed" || counted.counts.failed === 0);
  return { name, state, failures, lines, tests: agrees ? { ...counted, from: "log", failures } : undefined, broken };
}

/** The indices of the cleaned lines that begin a failure's report, in a runner's form or a compiler's. */
export function failureLines(lines: readonly string[]): readonly number[] {
  const found = lines.flatMap((line, at) => (buildFault(line) === undefined ? [] : [at]));
  for (const runner of runnersOf(lines))
    for (const { head, at } of scan(lines, runner, new Set())) if (!head.tentative) found.push(at);
  return [...new Set(found)].sort((a, b) => a - b);
}

/** The runners that a log shows. */
function runnersOf(lines: readonly string[]): readonly Runner[] {
  const signs = lines.filter((line) => ANY_SIGN.some((pattern) => pattern.test(line)));
  const seen = RUNNERS.filter((runner) => signs.some((line) => runner.seen.test(line)));
  return seen.filter(({ name }) => !seen.some(({ instead }) => instead === name));
}

/** A failure while its lines are gathered. */
interface Reported {
  name: string;
  path: string | undefined;
  head: Head;
  format: Runner;
  /** index of the line that begins it */
  at: number;
  lines: string[];
}

/** Lines of one failure that are looked at. */
const MAX_LINES = 80;

function scan(stream: readonly string[], format: Runner, passed: Set<string>): Reported[] {
  const reported: Reported[] = [];
  const heads = format.heads.map((head) => (head instanceof RegExp ? { pattern: head } : head));
  const open = heads.map(({ after }) => after === undefined);
  const tentative = new Map<string, Reported>();
  const failed = new Set<string>();
  const titles = new Set<string>();
  let title: Record<string, string | undefined> = {};
  let file: string | undefined;
  let above = "";
  let current: Reported | undefined;
  for (let at = 0; at < stream.length; at++) {
    const line = stream[at] ?? "";
    heads.forEach(({ after, until }, index) => {
      if (after?.test(line)) open[index] = true;
      else if (open[index] && until?.test(line)) open[index] = false;
    });
    file = format.file?.exec(line)?.groups?.path ?? file;
    const titled = fits(format.title, line, above);
    if (titled) {
      title = titled;
      if (titled.name !== undefined && titles.size < MAX_REPORTED) titles.add(titled.name);
    }
    const found = firstHead(line, heads, open, above);
    const begun = found && { ...found, at };
    if (begun && reported.length < MAX_REPORTED) {
      const { head, groups } = begun;
      const before = head.above === undefined ? [] : stream.slice(Math.max(0, at - head.above), at);
      const inTitle = format.asserts && groups.name !== undefined && !titles.has(groups.name.trimEnd()) && title.name;
      const holder = groups.holder ?? (/[.>\s]/.test(groups.name ?? ".") ? undefined : title.holder);
      const own = inTitle
        ? inTitle
        : (groups.name ?? (head.suite ? groups.path : title.name) ?? groups.path ?? file ?? "");
      let name = composed(own.trim(), holder ?? (groups.name === undefined ? title.holder : undefined));
      if (head.continues) {
        for (; !name.endsWith(":") && /^\s{5,}\S/.test(stream[at + 1] ?? ""); at++)
          name = `${name} ${stream[at + 1]?.trim()}`;
        name = name.replace(/:$/, "");
      }
      const words = (inTitle ? groups.name : groups.words)?.trim();
      const begin = words ? [...before, words] : [...before];
      current = { name, path: groups.path ?? file, head, format, at: begun.at, lines: begin };
      keepReported(current);
    } else if (format.ends.test(line)) current = undefined;
    else if (current && current.lines.length < MAX_LINES) current.lines.push(line);
    if (line !== "") above = line;
  }
  return reported;

  /** Keeps tentative failures until confirmed: runners that name every test name thousands. */
  function keepReported(one: Reported): void {
    const key = keyOf(one);
    if (one.head.passed) {
      passed.add(key);
      return;
    }
    if (one.head.tentative && !failed.has(key)) {
      tentative.set(key, one);
      if (tentative.size > MAX_TENTATIVE) tentative.delete(tentative.keys().next().value ?? "");
      return;
    }
    failed.add(key);
    const before = tentative.get(key);
    tentative.delete(key);
    if (before) reported.push(before);
    reported.push(one);
  }
}

const MAX_TENTATIVE = 2_000;

function firstHead(line: string, heads: readonly Head[], open: readonly boolean[], above: string) {
  if (line === "") return undefined;
  for (const [index, head] of heads.entries()) {
    const groups = open[index] ? fits(head, line, above) : undefined;
    if (groups) return { head, groups };
  }
  return undefined;
}

function fits(wanted: Pick<Head, "pattern" | "below"> | undefined, line: string, above: string) {
  if (wanted === undefined || (wanted.below && !wanted.below.test(above))) return undefined;
  const match = wanted.pattern.exec(line);
  return match ? (match.groups ?? {}) : undefined;
}

function composed(name: string, holder: string | undefined): string {
  if (holder === undefined || holder === name) return name;
  return holder.endsWith(`.${name}`) ? holder : `${holder}.${name}`;
}

/** Merges all mentions of a failure into one: during the run, in detail, and in the summary. */
function merge(found: readonly Reported[]): readonly Reported[] {
  const byName = new Map<string, Reported[]>();
  const confirmed = new Set(found.filter(({ head }) => !head.tentative).map(keyOf));
  for (const reported of found) {
    const key = keyOf(reported);
    if (!confirmed.has(key)) continue;
    const known = byName.get(key) ?? [];
    const same = known.find(({ path }) => path === undefined || reported.path === undefined || path === reported.path);
    if (!same) byName.set(key, [...known, reported]);
    else known[known.indexOf(same)] = better(same, reported);
  }
  return [...byName.values()].flat();
}

const keyOf = ({ name, format, head }: Reported) =>
  `${format.name} ${head.suite === true} ${name.replaceAll("::", ".").replace(/\s+/g, " ")}`;

/** The one that says more, with what the other knows beside it. */
function better(a: Reported, b: Reported): Reported {
  const weight = (reported: Reported) =>
    weightOf(causeOf(tellingLines(reported).join("\n"))) * 1e6 + reported.lines.length;
  const [best, other] = weight(b) > weight(a) ? [b, a] : [a, b];
  const head = best.head.tentative ? other.head : best.head;
  return { ...best, head, path: best.path ?? other.path };
}

function weightOf(cause: FailureCause | undefined): number {
  if (cause === undefined) return 0;
  return cause === "error" ? 1 : 2;
}

const PARENT = /subtestsFailed|^[ \t]*'?(?:\d+ subtests? failed|test failed)'?$/m;

/**
 * Drops what only repeats another failure: parents of a failed test, suites that say nothing of their own, and short
 * names of a test that is also reported in full.
 */
function withoutParents(found: readonly Reported[]): readonly Reported[] {
  const silent = (reported: Reported) => reported.lines.every((line) => line.trim() === "");
  const talking = found.filter((reported) => !silent(reported));
  return found.filter((reported) => {
    const others = found.filter((other) => other !== reported && other.format === reported.format);
    if (reported.format.asserts && reported.head.suite && silent(reported) && others.some(({ head }) => !head.suite))
      return false;
    if (others.some(({ name }) => name.startsWith(`${reported.name}/`))) return false;
    if (reported.lines.some((line) => PARENT.test(line)) && others.some(({ head }) => !head.suite)) return false;
    const fuller = others.some((other) => other.lines.length > reported.lines.length && endsAlike(other, reported));
    if (fuller) return false;
    if (!silent(reported) || reported.head.cause !== undefined || reported.format.name !== "node:test") return true;
    return !talking.some(({ format }) => format === reported.format);
  });
}

/** Summaries leave out the package, the file, or the blocks around a test. */
function endsAlike({ name, path }: Reported, reported: Reported): boolean {
  if (path !== undefined && reported.path !== undefined && path !== reported.path) return false;
  return name.endsWith(reported.name) && /[\s.:>›#/$\\]/.test(name.at(-reported.name.length - 1) ?? "");
}

function closed(reported: Reported): ReportedFailure {
  const { name, path, head, format } = reported;
  const lines = tellingLines(reported);
  const places = placesOf(reported.lines);
  const hooked = /"(?:before|after) (?:each|all)" hook/.test(name);
  // A line of TAP that says no more is an assertion that failed.
  const bare = format.asserts && !lines.some((line) => /^\s*(?:---|stack:|failureType)/.test(line));
  const said = hooked ? "set-up" : causeOf(lines.join("\n"));
  const cause = head.cause ?? said ?? (bare ? "assertion" : undefined);
  const suite = head.suite === true;
  return {
    name: name.trim(),
    suite,
    words: wordsOf(lines) || (bare ? name.trim() : ""),
    // Python names the place of a failure last, all others first.
    places: [...new Set(PYTHON.has(format.name) ? places.reverse() : places)].slice(0, 20),
    path: path?.replace(/^\.\//, ""),
    // A file that did not come to its tests has asserted nothing.
    cause: suite && (cause === undefined || cause === "assertion") ? "import" : (cause ?? "error"),
  };
}

function tellingLines({ lines, format: { tells, from } }: Reported): readonly string[] {
  const chosen = tells === undefined ? [] : lines.filter((line) => tells.test(line));
  if (chosen.length > 0) return chosen.map((line) => line.replace(tells as RegExp, ""));
  const first = from === undefined ? -1 : lines.findIndex((line) => from.test(line));
  return first < 0 ? lines : lines.slice(first);
}

const PYTHON: ReadonlySet<string> = new Set(["pytest", "unittest"]);

/** The first line that shows why a build failed before its tests, with those below it. */
function brokenIn(lines: readonly string[]): LogReading["broken"] {
  for (const [at, line] of lines.entries()) {
    const cause = buildFault(line);
    if (cause !== undefined) return { cause, words: wordsOf(lines.slice(Math.max(0, at - 1), at + 10)) };
  }
  return undefined;
}
