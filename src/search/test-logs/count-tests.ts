import { type TestCounts, type TestEnd, totalOf } from "../../model/test-results.ts";
import { anyOf, partPrefix } from "./clean-log.ts";
import { COUNTED, NAMING_LINES, SUMMARIES, type Summary } from "./summaries.ts";

/** The numbers that runners sum up with, and every test by name where all are named. */
export interface CountedTests {
  /** the runners, in one word for each set of them */
  readonly format: string;
  readonly counts: TestCounts;
  readonly assertions?: true;
  readonly all?: ReadonlyMap<string, TestEnd>;
}

type Numbers = Partial<Record<TestEnd | "total", number>>;

const ENDS = new Map(
  Object.entries(COUNTED).flatMap(([end, words]) => words.split(" ").map((word) => [word, end as TestEnd | "total"])),
);

/** Tests by name that are kept; with more of them only the numbers count. */
const MAX_NAMED = 50_000;

const ANY_LINE = anyOf([...SUMMARIES.flatMap(({ lines }) => lines), ...NAMING_LINES.map(({ line }) => line)].map(bare));

/** A pattern without the names of its groups, which may stand once in a pattern only. */
function bare(pattern: RegExp): RegExp {
  return new RegExp(pattern.source.replace(/\(\?<\w+>/g, "(?:"), pattern.flags);
}

/**
 * Counts the tests that a step ran by what its runners sum up, in its cleaned lines. Undefined: no runner sums up, or one contradicts itself. What
 * several packages print side by side, each behind a prefix, is added up.
 */
export function countTests(lines: readonly string[]): CountedTests | undefined {
  const summed = new Map<string, Map<Summary, Numbers[]>>();
  const named = new Map<string, Map<string, TestEnd>>();
  const lined = new Map<string, Record<TestEnd, number>>();
  for (const whole of lines) {
    const [stream, line] = streamOf(whole);
    if (line === undefined) continue;
    const own = summed.get(stream) ?? new Map<Summary, Numbers[]>();
    summed.set(stream, own);
    addSummary(line, own);
    addNamed(line, named, lined);
  }
  const byFormat = new Map<string, TestCounts>();
  const formats = new Map<string, Summary>();
  for (const own of summed.values()) {
    for (const [summary, blocks] of own) {
      const { format, last } = summary;
      formats.set(format, summary);
      for (const block of last ? blocks.slice(-1) : blocks) {
        const counts = closed(block);
        if (counts === undefined) return undefined;
        byFormat.set(format, added(byFormat.get(format) ?? NONE, counts));
      }
    }
  }
  // A runner that sums up says more than its lines; one that only names its tests is counted by them.
  for (const [format, counts] of lined) if (!byFormat.has(format)) byFormat.set(format, counts);
  const tests = [...byFormat.keys()].filter((format) => !formats.get(format)?.programs);
  const chosen = tests.length > 0 ? tests : [...byFormat.keys()];
  if (chosen.length === 0) return undefined;
  const counts = chosen.reduce((all, format) => added(all, byFormat.get(format) ?? NONE), NONE);
  const all = new Map(chosen.flatMap((format) => [...(named.get(format) ?? [])]));
  const assertions = chosen.some((format) => formats.get(format)?.assertions);
  return {
    format: chosen.sort().join(" + "),
    counts,
    ...(assertions && { assertions: true as const }),
    ...(all.size === totalOf(counts) && all.size > 0 && { all }),
  };
}

const NONE: TestCounts = { passed: 0, failed: 0, skipped: 0 };

const added = (a: TestCounts, b: TestCounts): TestCounts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

const MAX_DEPTH = 2;

/** A line that a runner sums up in or names a test in, without the prefixes before it; each is looked at as it stands first. */
function streamOf(whole: string): readonly [stream: string, line: string | undefined] {
  let [stream, line] = ["", whole];
  for (let depth = 0; ; depth++) {
    if (ANY_LINE.some((pattern) => pattern.test(line))) return [stream, line];
    const parted = depth < MAX_DEPTH ? partPrefix(line) : undefined;
    if (!parted) return [stream, undefined];
    stream += parted[0];
    line = parted[1];
  }
}

const WORD = "[A-Za-z]+";
const NUMBER_FIRST = new RegExp(`(\\d+) (${WORD})`, "g");
const WORD_FIRST = new RegExp(`((?:un)?expected )?(${WORD})\\s*[:=]?\\s*(\\d+)`, "g");

const FIRST_BY_FORMAT = new Map([...SUMMARIES].reverse().map((summary) => [summary.format, summary]));

function addSummary(line: string, summed: Map<Summary, Numbers[]>): void {
  for (const summary of SUMMARIES) {
    const found = summary.lines.map((pattern) => pattern.exec(line)).find((match) => match !== null);
    if (!found) continue;
    const numbers = numbersOf(line, found, summary.order);
    const key = FIRST_BY_FORMAT.get(summary.format) ?? summary;
    const blocks = summed.get(key) ?? [];
    summed.set(key, blocks);
    const last = blocks.at(-1);
    const goesOn = last !== undefined && !Object.keys(numbers).some((end) => end in last);
    if (goesOn) blocks[blocks.length - 1] = { ...last, ...numbers };
    else blocks.push(numbers);
    return;
  }
}

function numbersOf(line: string, { groups }: RegExpExecArray, order: Summary["order"]): Numbers {
  const numbers: Numbers = {};
  const add = (end: TestEnd | "total" | undefined, count: string) => {
    if (end) numbers[end] = (numbers[end] ?? 0) + Number(count);
  };
  if (groups) {
    for (const [end, count] of Object.entries(groups)) if (count !== undefined) add(end as TestEnd | "total", count);
    return numbers;
  }
  if (order === "number first") {
    for (const [, count = "", word = ""] of line.matchAll(NUMBER_FIRST)) add(ENDS.get(word.toLowerCase()), count);
    return numbers;
  }
  for (const [, expected, word = "", count = ""] of line.matchAll(WORD_FIRST)) {
    const end = ENDS.get(word.toLowerCase());
    if (expected === undefined) add(end, count);
    else add(expected.startsWith("un") ? "failed" : "skipped", count);
  }
  return numbers;
}

/** The numbers of one summary; undefined when they do not agree with each other. */
function closed({ passed, failed = 0, skipped = 0, total }: Numbers): TestCounts | undefined {
  if (passed === undefined) {
    if (total === undefined) return { passed: 0, failed, skipped };
    return total < failed + skipped ? undefined : { passed: total - failed - skipped, failed, skipped };
  }
  // Some leave those that were skipped out of their total.
  const agrees = total === undefined || total === passed + failed + skipped || total === passed + failed;
  return agrees ? { passed, failed, skipped } : undefined;
}

const FAILED = /^(?:not ok|fail(?:ed)?|error)$/i;
const SKIPPED = /^(?:skip(?:ped)?|ignored|xfail)$/i;

function addNamed(
  line: string,
  named: Map<string, Map<string, TestEnd>>,
  lined: Map<string, Record<TestEnd, number>>,
): void {
  for (const { format, line: pattern } of NAMING_LINES) {
    const { name = "", end: word = "" } = pattern.exec(line)?.groups ?? {};
    if (name === "") continue;
    const left = format === "TAP" && / # (?:SKIP|TODO)\b/i.test(name);
    const end = left ? "skipped" : endOf(word);
    const counts = lined.get(format) ?? { passed: 0, failed: 0, skipped: 0 };
    counts[end] += 1;
    lined.set(format, counts);
    const names = named.get(format) ?? new Map<string, TestEnd>();
    named.set(format, names);
    const plain = name.replace(/ # time=.*$/, "").trim();
    // A name that comes twice is as good as its worst; then not all are named, and only the numbers count.
    if (names.size < MAX_NAMED) names.set(plain, names.get(plain) === "failed" ? "failed" : end);
    return;
  }
}

function endOf(word: string): TestEnd {
  if (FAILED.test(word)) return "failed";
  return SKIPPED.test(word) ? "skipped" : "passed";
}
