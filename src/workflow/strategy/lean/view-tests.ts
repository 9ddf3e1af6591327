import path from "node:path";
import { firstCodeLine } from "../../../edits/first-code-line.ts";
import { numberedRanges } from "../../../edits/numbered-ranges.ts";
import { readText } from "../../../edits/read-text.ts";
import type { Candidate } from "../../../model/candidate.ts";
import type { SourceParser } from "../../../ports/source-parser.ts";
import { classifyFile } from "../../../search/classify-file.ts";
import { createStemmer } from "../../../search/create-stemmer.ts";
import { lineScores } from "../../../search/line-scores.ts";
import { splitIdentifier } from "../../../search/split-identifier.ts";
import type { RepositoryView } from "./repository-view.ts";

const MAX_TESTS = 5;
/** Declarations named of one test file. */
const MAX_NAMES = 4;
/** Lines of a sample, of a file's head, and around a line. */
const MAX_SAMPLE_LENGTH = 30;
const HEAD = 8;
const AROUND = 10;
/** What the line nearest to the issue counts beside a declaration's name. */
const BODY_WEIGHT = 2;
/** What a term of a name counts that the Custodian has given. */
const NAMED_WEIGHT = 3;

/** Whether a file is a test, by its path. */
export const isTestPath = (file: string): boolean =>
  classifyFile({ path: file, mode: "100644", size: 1 }).group === "test";

/** A test file as the Manager sees it; `sample`: the declaration in it that is nearest to the issue, numbered, or "". */
interface ViewedTest {
  readonly path: string;
  readonly names: string;
  readonly sample: string;
}

/**
 * The tests among the candidates, then those by their names (`parse.test.ts`, `test_parse.py`, `ParseTest.java` for
 * `parse`), each with the declarations that share most with the issue and with what the Custodian has named; of the
 * first the nearest one itself, with the file's head.
 */
export async function viewTests(
  candidates: readonly Candidate[],
  terms: ReadonlyMap<string, number>,
  repositoryView: RepositoryView,
  parser: SourceParser,
): Promise<readonly ViewedTest[]> {
  const tests = repositoryView.paths().filter(isTestPath);
  const sources = candidates.filter(({ path: file }) => !isTestPath(file));
  const change = sources.filter(({ use }) => use !== "read");
  const matching = [...change, ...sources].flatMap(({ path: file }) => {
    const name = nameOf(file);
    return tests.filter((test) => name.length > 2 && nameOf(test) === name);
  });
  const own = candidates.map(({ path: file }) => file).filter(isTestPath);
  const chosen = [...new Set([...own, ...matching])].slice(0, MAX_TESTS);
  const weights = new Map(terms);
  const stem = createStemmer();
  const named = change.flatMap(({ names = [] }) => names).flatMap((name) => splitIdentifier(name, stem));
  for (const term of named) weights.set(term, (weights.get(term) ?? 0) + NAMED_WEIGHT);
  return Promise.all(chosen.map((file, at) => viewTest(file, weights, { repositoryView, parser, sampled: at === 0 })));
}

async function viewTest(
  file: string,
  terms: ReadonlyMap<string, number>,
  { repositoryView, parser, sampled }: { repositoryView: RepositoryView; parser: SourceParser; sampled: boolean },
): Promise<ViewedTest> {
  const lines = readText((await repositoryView.read(file)) ?? new Uint8Array())?.lines ?? [];
  const symbols = (await parser.symbols(file, lines.join(""))) ?? [];
  const stem = createStemmer();
  const scores = lineScores(lines, terms);
  const scored = symbols.map(({ name, start, end }) => {
    const named = splitIdentifier(name, stem).reduce((sum, term) => sum + (terms.get(term) ?? 0), 0);
    const body = end - start < MAX_SAMPLE_LENGTH ? Math.max(0, ...scores.slice(start - 1, end)) : 0;
    return { name, start, end, score: named + body * BODY_WEIGHT };
  });
  const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.start - b.start);
  const named = best.slice(0, MAX_NAMES).sort((a, b) => a.start - b.start);
  const names = [`${lines.length} lines`, ...named.map(({ name, start, end }) => `${name} (${start}-${end})`)].join(
    ", ",
  );
  const nearest = best.find(({ start, end }) => end > start && end - start < MAX_SAMPLE_LENGTH);
  const head = firstCodeLine(lines);
  const near = nearest ? { from: nearest.start, to: nearest.end + 1 } : nearestLines(lines, terms);
  return { path: file, names, sample: sampled ? numberedRanges(lines, [{ from: head, to: head + HEAD }, near]) : "" };
}

/** Where tests are no declarations, the surroundings of the line nearest to the issue. */
function nearestLines(lines: readonly string[], terms: ReadonlyMap<string, number>): { from: number; to: number } {
  const scores = lineScores(lines, terms);
  const best = scores.indexOf(Math.max(...scores, 0)) + 1;
  return { from: best - AROUND, to: best + AROUND };
}

const nameOf = (file: string) =>
  path.posix
    .basename(file)
    .toLowerCase()
    .replace(/\..*$/, "")
    .replace(/^(?:tests?|specs?)[_-]|[_-]?(?:tests?|specs?)$/g, "");
