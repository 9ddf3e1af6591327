import { type TestCounts, type TestEnd, type TestsPart, type TestsRun, totalOf } from "../../data/test-results.ts";
import { joinAlike } from "../../text/patterns.ts";
import { partPrefix } from "./clean-log.ts";
import { COUNTED, RUNNERS, type Runner, type Summary } from "./runners.ts";

/** The numbers in the runners' summaries, and every test by name if all are named. */
export type CountedTests = Omit<TestsRun, "from" | "failures">;

type Numbers = Partial<Record<TestEnd | "total", number>>;

const ENDS = new Map(
  Object.entries(COUNTED).flatMap(([end, words]) => words.split(" ").map((word) => [word, end as TestEnd | "total"])),
);

/** The most names kept; beyond that only the numbers count. */
const MAX_NAMED = 50_000;

/** What runners print of numbers and names, each with its runner. */
const SUMS = RUNNERS.flatMap((runner) =>
  (runner.sums ?? []).flatMap((sum) => sum.lines.map((pattern) => ({ runner, sum, pattern }))),
);

const LISTS = RUNNERS.flatMap((runner) => (runner.lists ?? []).map((pattern) => ({ runner, pattern })));

const ANY_LINE = joinAlike([...SUMS, ...LISTS].map(({ pattern }) => bare(pattern)));

/** Drops the names of a pattern's groups, so that patterns can be joined: a name may occur only once in each. */
function bare(pattern: RegExp): RegExp {
  return new RegExp(pattern.source.replace(/\(\?<\w+>/g, "(?:"), pattern.flags);
}

/** The lines of one summary. */
interface Block {
  stream: string;
  runner: Runner;
  numbers: Numbers;
  /** the index of its last line */
  at: number;
}

/** Tests of one runner that are listed line by line. */
interface Lined {
  counts: Record<TestEnd, number>;
  names: Map<string, TestEnd>;
  shared: Set<string>;
}

/**
 * Counts the tests that a step ran, from its cleaned lines: by the runners' summaries, or by the lines of runners that
 * only list their tests. Undefined if there are neither, or if a summary contradicts itself. Adds up packages that
 * print side by side, each behind a prefix.
 */
export function countTests(lines: readonly string[]): CountedTests | undefined {
  const blocks: Block[] = [];
  const open = new Map<string, Block>();
  const lined = new Map<Runner, Lined>();
  for (const [at, whole] of lines.entries()) {
    const [stream, line] = streamOf(whole);
    if (line === undefined) continue;
    addSummary(line, { at, stream, blocks, open });
    addNamed(line, lined);
  }
  const parts: (TestsPart & { runner: Runner; listed?: Lined })[] = [];
  for (const { runner, numbers } of withoutEarlier(blocks)) {
    const counts = closed(numbers);
    if (counts === undefined) return undefined;
    parts.push({ format: runner.name, counts, runner });
  }
  // Prefer a runner's summary to the lines of its tests.
  for (const [runner, listed] of lined)
    if (!parts.some((part) => part.runner === runner))
      parts.push({ format: runner.name, counts: listed.counts, runner, listed });
  const tests = parts.filter(({ runner }) => !runner.programs);
  const chosen = tests.length > 0 ? tests : parts;
  if (chosen.length === 0) return undefined;
  const runners = [...new Set(chosen.map(({ runner }) => runner))];
  const counts = chosen.reduce((sum, part) => added(sum, part.counts), NONE);
  const all = new Map(runners.flatMap((runner) => [...(lined.get(runner)?.names ?? [])]));
  const shared = new Set(chosen.flatMap(({ listed }) => [...(listed?.shared ?? [])]));
  return {
    format: runners
      .map(({ name }) => name)
      .sort()
      .join(" + "),
    counts,
    parts: chosen.length > 1 ? chosen.map((part) => ({ format: part.format, counts: part.counts })) : undefined,
    shared: shared.size > 0 ? shared : undefined,
    all: all.size === totalOf(counts) && all.size > 0 ? all : undefined,
  };
}

/** Some runners print running totals: only the last one counts. */
function withoutEarlier(blocks: readonly Block[]): readonly Block[] {
  const isLast = ({ stream, runner }: Block, at: number) =>
    !blocks.slice(at + 1).some((later) => later.stream === stream && later.runner === runner);
  return blocks.filter((block, at) => !block.runner.sums?.[0]?.last || isLast(block, at));
}

const NONE: TestCounts = { passed: 0, failed: 0, skipped: 0 };

const added = (a: TestCounts, b: TestCounts): TestCounts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

const MAX_DEPTH = 2;

/**
 * Parts a line of a summary or a test from the prefixes before it. Tries the line as it is first, then without each.
 */
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
const NUMBER_FIRST = new RegExp(`(?<!\\d)(\\d+) (${WORD})`, "g");
const WORD_FIRST = new RegExp(`((?:un)?expected )?(?<![A-Za-z])(${WORD})(?:\\s*[:=])?\\s*(\\d+)`, "g");

/** How many lines apart the parts of one summary may be. */
const REACH = 6;

interface Summing {
  at: number;
  stream: string;
  blocks: Block[];
  /** the latest block of each stream and runner */
  open: Map<string, Block>;
}

function addSummary(line: string, { at, stream, blocks, open }: Summing): void {
  const found = SUMS.find(({ pattern }) => pattern.test(line));
  if (!found) return;
  const { runner, sum, pattern } = found;
  const numbers = numbersOf(line, pattern.exec(line)?.groups, sum.order);
  const key = `${stream}\u0000${runner.name}`;
  const last = open.get(key);
  if (last && at - last.at <= REACH && !Object.keys(numbers).some((end) => end in last.numbers)) {
    Object.assign(last.numbers, numbers);
    last.at = at;
    return;
  }
  const [first] = runner.sums ?? [];
  if (first?.begins && pattern !== first.lines[0]) return;
  const block: Block = { stream, runner, numbers, at };
  blocks.push(block);
  open.set(key, block);
}

function numbersOf(line: string, groups: Record<string, string> | undefined, order: Summary["order"]): Numbers {
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

/** The numbers of one summary; undefined if they contradict each other. */
function closed({ passed, failed = 0, skipped = 0, total }: Numbers): TestCounts | undefined {
  if (passed === undefined) {
    if (total === undefined) return { passed: 0, failed, skipped };
    return total < failed + skipped ? undefined : { passed: total - failed - skipped, failed, skipped };
  }
  // Some runners leave skipped tests out of the total.
  const agrees = total === undefined || total === passed + failed + skipped || total === passed + failed;
  return agrees ? { passed, failed, skipped } : undefined;
}

const FAILED = /^(?:not ok|fail(?:ed)?|error)$/i;
const SKIPPED = /^(?:skip(?:ped)?|ignored|xfail)$/i;

function addNamed(line: string, lined: Map<Runner, Lined>): void {
  for (const { runner, pattern } of LISTS) {
    const { name = "", end: word = "" } = pattern.exec(line)?.groups ?? {};
    if (name === "") continue;
    const left = runner.name === "TAP" && / # (?:SKIP|TODO)\b/i.test(name);
    const end = left ? "skipped" : endOf(word);
    const known = lined.get(runner) ?? { counts: { ...NONE }, names: new Map(), shared: new Set() };
    lined.set(runner, known);
    known.counts[end] += 1;
    const plain = name.replace(/ # time=.*$/, "").trim();
    if (known.names.has(plain)) known.shared.add(plain);
    // A repeated name keeps its worst result. Then the names do not add up, and only the numbers count.
    if (known.names.size < MAX_NAMED) known.names.set(plain, known.names.get(plain) === "failed" ? "failed" : end);
    return;
  }
}

function endOf(word: string): TestEnd {
  if (FAILED.test(word)) return "failed";
  return SKIPPED.test(word) ? "skipped" : "passed";
}
