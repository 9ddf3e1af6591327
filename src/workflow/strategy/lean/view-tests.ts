import { firstCodeLine, numberedRanges } from "../../../edits/numbered.ts";
import { readText } from "../../../edits/text-file.ts";
import type { Candidate } from "../../../model/plan.ts";
import type { SourceParser } from "../../../ports/source-parser.ts";
import { isTestPath } from "../../../search/classify-file.ts";
import { createStemmer, lineScores, passageScores, splitIdentifier } from "../../../search/terms.ts";
import { chooseTests } from "./choose-tests.ts";
import type { RepositoryView } from "./repository-view.ts";

const MAX_TESTS = 5;

/** Declarations named of one test file. */
const MAX_NAMES = 4;

/** Lines of a file's head, around a line, and of a case that is shown whole; of a longer one its beginning and its end. */
const HEAD = 8;

const AROUND = 10;

const MAX_CASE_LENGTH = 60;

/** What it then counts: its ends say less than a whole one. */
const LONG_CASE_WEIGHT = 0.5;

const CASE_HEAD = 6;

const CASE_TAIL = 14;

/** What a term of a name counts that the Custodian has given. */
const NAMED_WEIGHT = 3;

/** A case that has less to do with the issue than this part of the nearest one is not similar. */
const SIMILAR = 0.5;

/** Similar cases that are shown of the likeliest file, and of another that may have to change. */
const CASES_SHOWN = [3, 2] as const;

/** A test file as the Manager sees it; `sample`: the cases in it that are nearest to the issue, numbered, or "". */
interface ViewedTest {
  readonly path: string;
  readonly names: string;
  readonly sample: string;
}

interface TestsInput {
  readonly repositoryView: RepositoryView;
  readonly parser: SourceParser;
  /** the issue's, by weight, and the identifiers that it writes as code */
  readonly terms: ReadonlyMap<string, number>;
  readonly exact: ReadonlySet<string>;
}

/**
 * The tests that import or call what may have to change, and those among the candidates, each with the declarations that
 * share most with the issue and with what the Custodian has named; of the first, and of a second one that may have to
 * change, also similar cases, the ends of their lists of cases, and the file's head.
 */
export async function viewTests(
  candidates: readonly Candidate[],
  { terms, exact, repositoryView, parser }: TestsInput,
): Promise<readonly ViewedTest[]> {
  const sources = candidates.filter(({ path: file }) => !isTestPath(file));
  const change = sources.filter(({ use }) => use !== "read");
  const weights = new Map(terms);
  const stem = createStemmer();
  const named = change.flatMap(({ names = [] }) => names).flatMap((name) => splitIdentifier(name, stem));
  for (const term of named) weights.set(term, (weights.get(term) ?? 0) + NAMED_WEIGHT);
  const input = { repositoryView, parser, terms: weights, exact };
  const own = candidates.map(({ path: file }) => file).filter(isTestPath);
  const choosing = { ...input, most: MAX_TESTS };
  const first = await chooseTests(change, own, choosing);
  const read = sources.filter((one) => !change.includes(one));
  const more = first.length < MAX_TESTS && read.length > 0 ? await chooseTests(read, [], choosing) : [];
  const chosen = [...new Set([...first, ...more])].slice(0, MAX_TESTS);
  const changed = new Set(candidates.filter(({ use }) => use !== "read").map(({ path: file }) => file));
  const shown = (file: string, at: number) => (at === 0 || changed.has(file) ? (CASES_SHOWN[at] ?? 0) : 0);
  return Promise.all(chosen.map((file, at) => viewTest(file, shown(file, at), input)));
}

async function viewTest(
  file: string,
  casesShown: number,
  { repositoryView, parser, terms, exact }: TestsInput,
): Promise<ViewedTest> {
  const lines = readText((await repositoryView.read(file)) ?? new Uint8Array())?.lines ?? [];
  const symbols = (await parser.symbols(file, lines.join(""))) ?? [];
  const stem = createStemmer();
  const bodies = passageScores(
    symbols.map(({ start, end }) => lines.slice(start - 1, end).join("")),
    terms,
    exact,
  );
  const scored = symbols.map(({ name, kind, start, end }, at) => {
    const named = splitName(name, stem).reduce((sum, term) => sum + (terms.get(term) ?? 0), 0);
    const score = named + (bodies[at] ?? 0);
    return { name, kind, start, end, score: end - start < MAX_CASE_LENGTH ? score : score * LONG_CASE_WEIGHT };
  });
  const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.start - b.start);
  const named = best.slice(0, MAX_NAMES).sort((a, b) => a.start - b.start);
  const names = [`${lines.length} lines`, ...named.map(({ name, start, end }) => `${name} (${start}-${end})`)].join(
    ", ",
  );
  if (casesShown === 0) return { path: file, names, sample: "" };
  const head = firstCodeLine(lines);
  const cases = similarCases(scored, casesShown);
  const near = cases.length > 0 ? cases.flatMap(wholeOrEnds) : [nearestLines(lineScores(lines, terms, exact))];
  const first = symbols.find(({ start, end, kind }) => CASES.has(kind) && end > start)?.start ?? lines.length;
  const ranges = [{ from: head, to: Math.min(head + HEAD, Math.max(head, first - 1)) }, ...near, ...endsOfLists(lines)];
  return {
    path: file,
    names,
    sample: numberedRanges(
      lines,
      ranges.sort((a, b) => a.from - b.from),
    ),
  };
}

/** A test's name is a sentence, or an identifier. */
const splitName = (name: string, stem: (word: string) => string) =>
  (name.match(/[\p{L}\p{N}_$]+/gu) ?? []).flatMap((word) => splitIdentifier(word, stem));

interface ScoredSymbol {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

const CASES: ReadonlySet<string> = new Set(["case", "function", "method"]);

/** The cases that have most to do with the issue, at most so many; the last ones, when none has. */
function similarCases(symbols: readonly ScoredSymbol[], most: number): readonly ScoredSymbol[] {
  const cases = symbols.filter(({ kind, start, end }) => CASES.has(kind) && end > start);
  const within = (one: ScoredSymbol, other: ScoredSymbol) =>
    other !== one && other.start <= one.start && other.end >= one.end;
  // A group of cases is no case, and what a case declares for itself is shown with it.
  const isGroup = (one: ScoredSymbol) => cases.some((other) => other.kind === "case" && within(other, one));
  const alone = cases.filter((one) => !isGroup(one));
  const outermost = alone.filter((one) => !alone.some((other) => within(one, other)));
  const best = Math.max(0, ...outermost.map(({ score }) => score));
  if (best === 0) return outermost.slice(-most);
  const similar = outermost.filter(({ score }) => score >= best * SIMILAR);
  return similar.sort((a, b) => b.score - a.score || a.start - b.start).slice(0, most);
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function wholeOrEnds({ start, end }: { readonly start: number; readonly end: number }): Range[] {
  if (end - start < MAX_CASE_LENGTH) return [{ from: start, to: end }];
  return [
    { from: start, to: start + CASE_HEAD },
    { from: end - CASE_TAIL, to: end },
  ];
}

const LIST =
  /^(\s*)["']?(?:valid|invalid|cases|testcases|test_cases|tests|pass|fail|good|bad)["']?\s*(?::=|[:=])[^\n]*[[({]\s*$/i;

/** Lists whose ends are shown, and lines of one end. */
const MAX_LISTS = 4;

const MAX_LIST_TAIL = 24;

/** The last two entries of lists of cases, such as `valid` and `invalid`: where another one is added. */
function endsOfLists(lines: readonly string[]): Range[] {
  const ranges: Range[] = [];
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
    ranges.push({ from: Math.max(entries.at(-2) ?? end, end + 1 - MAX_LIST_TAIL), to: end + 1 });
  }
  return ranges;
}

/** Where tests are no declarations, the surroundings of the line nearest to the issue. */
function nearestLines(scores: readonly number[]): Range {
  const best = scores.indexOf(scores.reduce((most, score) => Math.max(most, score), 0)) + 1;
  return { from: best - AROUND, to: best + AROUND };
}

const CHANGELOG = /^(?:changes|changelog|history|news|releases?)(?:\.(?:md|rst|txt))?$/i;

const VERSION = /^(?:#{1,3} |=+ |\*+ )?\[?(?:v(?:ersion)? ?)?\d+\.\d+|^(?:#{1,3} )?\[?(?:unreleased|next|main|master)/i;

/** Lines before the newest section and of its beginning, when it is a released one: they show how entries look. */
const CHANGELOG_HEAD = 6;

/** Lines of a section that is still being written. */
const MAX_UNRELEASED = 120;

/** Entries are added at its end or its beginning. */
const TAIL = 40;

const MAX_LINE_LENGTH = 200;

const UNRELEASED = /unreleased|upcoming|\b(?:next|main|master|head|wip|tbd|dev|development)\b|not (?:yet )?released/i;

/** The beginning of the repository's changelog with its whole unreleased section, numbered; null when there is none. */
export async function viewChangelog(repositoryView: RepositoryView): Promise<{ path: string; content: string } | null> {
  const path = repositoryView.paths().find((one) => CHANGELOG.test(one));
  const lines = path === undefined ? undefined : readText((await repositoryView.read(path)) ?? new Uint8Array())?.lines;
  if (path === undefined || !lines || lines.length === 0) return null;
  const versions = lines.flatMap((line, at) => (VERSION.test(line) ? [at + 1] : []));
  const [first = 1, next = lines.length + 1] = versions;
  const unreleased = UNRELEASED.test(lines.slice(first - 1, first + 1).join(" "));
  const last = unreleased ? next : first + CHANGELOG_HEAD;
  const ranges =
    last > MAX_UNRELEASED
      ? [
          { from: 1, to: first + CHANGELOG_HEAD },
          { from: last - TAIL, to: last },
        ]
      : [{ from: 1, to: Math.min(last, next) }];
  const short = lines.map((line) => (line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line));
  return { path, content: numberedRanges(short, ranges) };
}
