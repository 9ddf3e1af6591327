import { numberedSpans, type Span } from "../../../../edits/numbered.ts";
import { firstCodeLine } from "../../../../edits/text-file.ts";
import type { Candidate } from "../../../../model/plan.ts";
import type { PastCommit } from "../../../../ports/repository.ts";
import type { SourceParser, SourceSymbol } from "../../../../ports/source-parser.ts";
import { isTestPath } from "../../../../search/classify-file.ts";
import type { IssueText } from "../../../../search/ranking-types.ts";
import { lineScoresInTurns, passageScores, splitIdentifier } from "../../../../search/terms.ts";
import { chooseTests, type LikelyTest } from "./likely-tests.ts";
import { parseFile } from "./parsed-file.ts";
import type { RepositoryView } from "./repository-view.ts";
import type { TestBudgets } from "./token-budgets.ts";

const MAX_TESTS = 3;

/** Declarations that are named of a test file without lines. */
const MAX_NAMES_UNSHOWN = 2;

/** Lines of a file's head, around a line, and of a case that is shown whole; a longer one is cut in the middle. */
const HEAD = 20;

const AROUND = 10;

const MAX_CASE_LENGTH = 60;

/** The ends of a cut case say less than a whole one. */
const LONG_CASE_WEIGHT = 0.5;

const CASE_HEAD = 6;

const CASE_TAIL = 14;

/** Weight of a term in a name that the Custodian gives. */
const NAMED_WEIGHT = 3;

/** A case with less than this share of the best score is not similar. */
const SIMILAR = 0.5;

/** A second file is shown if its score is at least this share of the first. */
const NEARLY = 0.75;

/** A test file as the Manager sees it; `sample`: the cases in it that are nearest to the issue, numbered, or "". */
interface ViewedTest {
  readonly path: string;
  readonly names: string;
  readonly sample: string;
}

interface TestsInput {
  readonly repositoryView: RepositoryView;
  readonly parser: SourceParser;
  readonly issue: IssueText;
  /** the issue's, by weight, and the identifiers that it writes as code */
  readonly terms: ReadonlyMap<string, number>;
  readonly exact: ReadonlySet<string>;
  /** newest first; empty where it is not known */
  readonly history: readonly PastCommit[];
  readonly budgets: TestBudgets;
}

/**
 * Shows the likeliest tests of the files that may have to change, each with its declarations nearest to the issue. The
 * first one, and others that are nearly as likely or may have to change, also get lines: similar cases, the places
 * where a case is added, and the head of the file.
 */
export async function viewTests(candidates: readonly Candidate[], given: TestsInput): Promise<readonly ViewedTest[]> {
  const sources = candidates.filter(({ path: file }) => !isTestPath(file));
  const change = sources.filter(({ use }) => use !== "read");
  const weights = new Map(given.terms);
  const named = change.flatMap(({ names = [] }) => names).flatMap((name) => splitIdentifier(name));
  for (const term of named) weights.set(term, (weights.get(term) ?? 0) + NAMED_WEIGHT);
  const input = { ...given, terms: weights };
  const own = candidates.map(({ path: file }) => file).filter(isTestPath);
  const options = { ...input, most: MAX_TESTS };
  const first = await chooseTests(change, own, options);
  const read = sources.filter((one) => !change.includes(one));
  const more = first.length === 0 && read.length > 0 ? await chooseTests(read, [], options) : [];
  const chosen = [...first, ...more];
  const changed = new Set(candidates.filter(({ use }) => use !== "read").map(({ path: file }) => file));
  const likeliest = chosen[0]?.score ?? 0;
  const shownOf = ({ path: file, score }: LikelyTest, at: number) =>
    at === 0 || changed.has(file) || score >= likeliest * NEARLY ? given.budgets[at] : undefined;
  return Promise.all(chosen.map((one, at) => viewTest(one.path, shownOf(one, at), input)));
}

async function viewTest(
  file: string,
  shown: TestBudgets[number] | undefined,
  { repositoryView, parser, terms, exact }: Pick<TestsInput, "repositoryView" | "parser" | "terms" | "exact">,
): Promise<ViewedTest> {
  const { lines, symbols } = await parseFile(file, await repositoryView.read(file), parser);
  const bodies = passageScores(
    symbols.map(({ start, end }) => lines.slice(start - 1, end).join("")),
    terms,
    exact,
  );
  const scored = symbols.map((symbol, at) => {
    const named = splitName(symbol.name).reduce((sum, term) => sum + (terms.get(term) ?? 0), 0);
    const score = named + (bodies[at] ?? 0);
    return { ...symbol, score: symbol.end - symbol.start < MAX_CASE_LENGTH ? score : score * LONG_CASE_WEIGHT };
  });
  const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.start - b.start);
  const named = best.slice(0, shown?.names ?? MAX_NAMES_UNSHOWN).sort((a, b) => a.start - b.start);
  const places = named.map(({ name, start, end }) => `${name} (${start}-${end})`);
  const names = [`${lines.length} lines`, ...places].join(", ");
  const nearest = async () => nearestLines(await lineScoresInTurns(lines, terms, exact));
  return { path: file, names, sample: shown ? await sampleOf(lines, scored, nearest, shown) : "" };
}

/** A test's name is a sentence, or an identifier. */
const splitName = (name: string) => (name.match(/[\p{L}\p{N}_$]+/gu) ?? []).flatMap((word) => splitIdentifier(word));

type ScoredSymbol = SourceSymbol & { readonly score: number };

const CASES: ReadonlySet<string> = new Set(["case", "function", "method"]);

/** Lines shown of the end of a file or group: cases are often added there. */
const END = 6;

/**
 * Shows a test file whole if it fits; else, in this order, the case nearest to the issue, the head of the file, the
 * ends of its lists, a second case, the ends of the file and of the first case's group, further cases.
 */
async function sampleOf(
  lines: readonly string[],
  symbols: readonly ScoredSymbol[],
  nearest: () => Promise<Span>,
  { cases: most, characters }: TestBudgets[number],
): Promise<string> {
  const priceOf = ({ start, end }: Span) =>
    lines.slice(Math.max(0, start - 1), end).reduce((sum, line) => sum + line.length + NUMBER, 0);
  const whole = { start: 1, end: lines.length };
  if (priceOf(whole) <= characters) return numberedSpans(lines, [whole]);
  const all = casesOf(symbols);
  const [best, second, ...others] = similarCases(all, most);
  const head = firstCodeLine(lines);
  // Helpers may stand before the first test.
  const tests = all.filter(({ kind, name }) => kind === "case" || /test/i.test(name));
  const first = Math.min(lines.length, ...(tests.length > 0 ? tests : all).map(({ start }) => start));
  const wanted = [
    ...(best ? wholeOrEnds(best) : [await nearest()]),
    { start: head, end: Math.min(head + HEAD, Math.max(head, first - 1)) },
    ...endsOfLists(lines),
    ...(second ? wholeOrEnds(second) : []),
    { start: lines.length + 1 - END, end: lines.length },
    ...(best ? endOfGroup(best, symbols, all) : []),
    ...others.flatMap(wholeOrEnds),
  ];
  let left = characters;
  const chosen = wanted.filter((range, at) => {
    // The nearest case is always shown.
    if (priceOf(range) > left && at > 0) return false;
    left -= priceOf(range);
    return true;
  });
  const inOrder = chosen.sort((a, b) => a.start - b.start);
  return numberedSpans(lines, inOrder);
}

/** A line's number and its end. */
const NUMBER = 6;

/** The end of a case's group, from its last case on. */
function endOfGroup(
  one: ScoredSymbol,
  symbols: readonly ScoredSymbol[],
  cases: readonly ScoredSymbol[],
): readonly Span[] {
  const [group] = symbols
    .filter((other) => other !== one && other.start <= one.start && other.end >= one.end)
    .sort((a, b) => a.end - a.start - (b.end - b.start));
  const beside = group ? cases.filter(({ start, end }) => start >= group.start && end <= group.end) : [];
  const end = Math.max(...beside.map((other) => other.end));
  return group ? [{ start: end + 1 - END, end: Math.min(group.end, end + 1) }] : [];
}

/** Outermost cases, without groups. */
function casesOf(symbols: readonly ScoredSymbol[]): readonly ScoredSymbol[] {
  const cases = symbols.filter(({ kind, start, end }) => CASES.has(kind) && end > start);
  const within = (one: ScoredSymbol, other: ScoredSymbol) =>
    other !== one && other.start <= one.start && other.end >= one.end;
  // A group is no case, and what a case declares is shown with it.
  const isGroup = (one: ScoredSymbol) => cases.some((other) => other.kind === "case" && within(other, one));
  const alone = cases.filter((one) => !isGroup(one));
  return alone.filter((one) => !alone.some((other) => within(one, other)));
}

/** The cases nearest to the issue, or the last ones if none is near. */
function similarCases(outermost: readonly ScoredSymbol[], most: number): readonly ScoredSymbol[] {
  const best = Math.max(0, ...outermost.map(({ score }) => score));
  if (best === 0) return outermost.slice(-most);
  const similar = outermost.filter(({ score }) => score >= best * SIMILAR);
  return similar.sort((a, b) => b.score - a.score || a.start - b.start).slice(0, most);
}

function wholeOrEnds({ start, end }: Span): Span[] {
  if (end - start < MAX_CASE_LENGTH) return [{ start, end }];
  return [
    { start, end: start + CASE_HEAD },
    { start: end - CASE_TAIL, end },
  ];
}

const LIST =
  /^(\s*)["']?(?:valid|invalid|cases|testcases|test_cases|tests|pass|fail|good|bad)["']?\s*(?::=|[:=])[^\n]*[[({]\s*$/i;

/** Lists whose ends are shown, and lines of each end. */
const MAX_LISTS = 4;

const MAX_LIST_TAIL = 24;

/** The last two entries of each list of cases (`valid`, `invalid`): another one is added there. */
function endsOfLists(lines: readonly string[]): Span[] {
  const ranges: Span[] = [];
  for (const [at, line] of lines.entries()) {
    const indent = LIST.exec(line)?.[1];
    if (indent === undefined || ranges.length >= MAX_LISTS) continue;
    const length = lines
      .slice(at + 1)
      .findIndex((one) => one.startsWith(indent) && /^[\])}]/.test(one.slice(indent.length)));
    if (length < CASE_HEAD) continue;
    const end = at + 1 + length;
    const depth = (lines[at + 1] ?? "").search(/\S/);
    const begins = (one: string) => one.search(/\S/) === depth && !/^\s*[\])}]/.test(one);
    const entries = lines.slice(at + 1, end).flatMap((one, index) => (begins(one) ? [at + 2 + index] : []));
    ranges.push({ start: Math.max(entries.at(-2) ?? end, end + 1 - MAX_LIST_TAIL), end: end + 1 });
  }
  return ranges;
}

/** The surroundings of the line nearest to the issue, for tests that are no declarations. */
function nearestLines(scores: readonly number[]): Span {
  const best = scores.indexOf(scores.reduce((most, score) => Math.max(most, score), 0)) + 1;
  return { start: best - AROUND, end: best + AROUND };
}
