import type { Span } from "../../../code/edits/numbered.ts";
import type { SourceParser, SourceSymbol } from "../../../code/source-parser.ts";
import type { Candidate } from "../../../data/plan.ts";
import type { PastCommit } from "../../../git/repository.ts";
import { isTestPath } from "../../../search/classify-file.ts";
import { splitIdentifier } from "../../../search/terms.ts";
import type { AboutIssue } from "./about-issue.ts";
import { nearestLines } from "./declarations.ts";
import { type Excerpt, excerptOf, type OpenFile, openFile, wholeCost } from "./excerpts.ts";
import { chooseTests } from "./likely-tests.ts";
import type { RepositoryView } from "./repository-view.ts";

/** Tests that are named, and of which lines are shown. */
const MAX_TESTS = 3;

const MAX_SHOWN = 2;

/** Declarations that are named of a test file. */
const MAX_NAMES = 12;

/** Lines of a case that is shown whole; a longer one is cut to its best branches. */
const MAX_CASE = 60;

/** Lines around the nearest one where nothing is declared, and of the end of a file, where cases are added. */
const AROUND = 10;

const END = 6;

/** A case with less than this share of the best score is not similar. */
const SIMILAR = 0.5;

const MAX_SIMILAR = 2;

/** A test of up to so many characters is shown whole: where all is, nobody is asked to choose lines. */
const SHORT = 4_000;

/** Worth of the nearest case, and of the others and the end; less in further files. */
const WORTH = { nearest: 90, others: 55 };

/** A likely test: names that it declares, nearest to the issue, and what may be shown of it. */
interface CollectedTest {
  path: string;
  names: string;
  file: OpenFile;
  excerpts: readonly Excerpt[];
}

interface TestsInput {
  about: AboutIssue;
  parser: SourceParser;
  repositoryView: RepositoryView;
  /** newest first; empty where it is not known */
  history: readonly PastCommit[];
}

/**
 * The likeliest tests of the files that may have to change, each with its declarations nearest to the issue. The first
 * two come with lines: short ones whole, of others similar cases, and the file's end, where a case is added.
 */
export async function collectTests(
  candidates: readonly Candidate[],
  { about, parser, repositoryView, history }: TestsInput,
): Promise<readonly CollectedTest[]> {
  const { terms, exact } = about;
  const own = candidates.map(({ path }) => path).filter(isTestPath);
  const sources = candidates.filter(({ path }) => !isTestPath(path));
  const toChange = sources.filter(({ use }) => use !== "read");
  const targets = toChange.length > 0 ? toChange : sources;
  const of = { repositoryView, parser, issue: about.text, history, most: MAX_TESTS };
  const chosen = await chooseTests(targets, own, of);
  return Promise.all(
    chosen.map(async (test, at) => {
      const content = await repositoryView.read(test.path);
      const file = await openFile(test.path, content, { parser, terms, exact });
      const scored = scoredSymbols(file, terms);
      const excerpts = at < MAX_SHOWN ? partsOf(file, scored, at) : [];
      return { path: test.path, names: namesOf(file, scored), file, excerpts };
    }),
  );
}

type ScoredSymbol = SourceSymbol & { score: number };

/** How near each declaration is to the issue: by the words of its name, and by its lines. */
function scoredSymbols({ symbols, scores }: OpenFile, terms: ReadonlyMap<string, number>) {
  return symbols.map((symbol): ScoredSymbol => {
    const named = splitName(symbol.name).reduce((sum, term) => sum + (terms.get(term) ?? 0), 0);
    const lines = scores.slice(symbol.start - 1, symbol.end).reduce((sum, one) => sum + one, 0);
    return { ...symbol, score: named + lines };
  });
}

/** A test's name is a sentence, or an identifier. */
const splitName = (name: string) => (name.match(/[\p{L}\p{N}_$]+/gu) ?? []).flatMap((word) => splitIdentifier(word));

const bestFirst = (a: ScoredSymbol, b: ScoredSymbol) => b.score - a.score || a.start - b.start;

function namesOf({ lines }: OpenFile, symbols: readonly ScoredSymbol[]): string {
  const best = symbols.filter(({ score }) => score > 0).sort(bestFirst);
  const named = best.slice(0, MAX_NAMES).sort((a, b) => a.start - b.start);
  return [`${lines.length} lines`, ...named.map(({ name, start, end }) => `${name} (${start}-${end})`)].join(", ");
}

/** The parts of the test file that ranks `rank`-th. */
function partsOf(file: OpenFile, symbols: readonly ScoredSymbol[], rank: number): Excerpt[] {
  const { path, lines } = file;
  const part = (span: Span, worth: number) => excerptOf(span, { path, why: "", worth: worth - rank, cutTo: MAX_CASE });
  const [near = 1] = nearestLines(file);
  const [nearest = { start: near - AROUND, end: near + AROUND }, ...others] = similarCases(casesOf(symbols));
  const end = { start: lines.length + 1 - END, end: lines.length };
  const whole = { ...part({ start: 1, end: lines.length }, WORTH.others), cutTo: lines.length };
  return [
    part(nearest, WORTH.nearest),
    ...(wholeCost(file) <= SHORT ? [whole] : [end, ...others].map((one) => part(one, WORTH.others))),
  ];
}

const CASES: ReadonlySet<string> = new Set(["case", "function", "method"]);

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

/** The cases nearest to the issue, or the last one if none is near. */
function similarCases(cases: readonly ScoredSymbol[]): readonly ScoredSymbol[] {
  const best = Math.max(0, ...cases.map(({ score }) => score));
  if (best === 0) return cases.slice(-1);
  return cases
    .filter(({ score }) => score >= best * SIMILAR)
    .sort(bestFirst)
    .slice(0, MAX_SIMILAR);
}
