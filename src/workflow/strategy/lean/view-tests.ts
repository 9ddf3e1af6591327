import path from "node:path";
import { firstCodeLine, numberedRanges } from "../../../edits/numbered.ts";
import { readText } from "../../../edits/text-file.ts";
import type { Candidate } from "../../../model/plan.ts";
import type { SourceParser } from "../../../ports/source-parser.ts";
import { isTestPath } from "../../../search/classify-file.ts";
import { createStemmer, lineScores, splitIdentifier } from "../../../search/terms.ts";
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

const CHANGELOG = /^(?:changes|changelog|history|news|releases?)(?:\.(?:md|rst|txt))?$/i;

const VERSION = /^(?:#{1,3} |=+ |\*+ )?\[?(?:v(?:ersion)? ?)?\d+\.\d+|^(?:#{1,3} )?\[?(?:unreleased|next|main|master)/i;

/** Lines at the head, and at the end of the newest section, where entries are added. */
const CHANGELOG_HEAD = 6;

const TAIL = 5;

const MAX_LINE_LENGTH = 200;

/** The beginning of the repository's changelog and the end of its newest section, numbered; null when there is none. */
export async function viewChangelog(repositoryView: RepositoryView): Promise<{ path: string; content: string } | null> {
  const path = repositoryView.paths().find((one) => CHANGELOG.test(one));
  const lines = path === undefined ? undefined : readText((await repositoryView.read(path)) ?? new Uint8Array())?.lines;
  if (path === undefined || !lines || lines.length === 0) return null;
  const versions = lines.flatMap((line, at) => (VERSION.test(line) ? [at + 1] : []));
  const next = versions[1] ?? Math.min(lines.length, CHANGELOG_HEAD) + 1;
  const ranges = [
    { from: 1, to: CHANGELOG_HEAD },
    { from: Math.max(1, next - TAIL), to: next },
  ];
  const short = lines.map((line) => (line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line));
  return { path, content: numberedRanges(short, ranges) };
}
