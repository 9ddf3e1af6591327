import path from "node:path";
import type { Candidate } from "../../../../model/plan.ts";
import type { PastCommit } from "../../../../ports/repository.ts";
import type { SourceParser } from "../../../../ports/source-parser.ts";
import { isTestPath } from "../../../../search/classify-file.ts";
import { createImportResolver } from "../../../../search/import-resolver.ts";
import { likenessTo } from "../../../../search/past-commits.ts";
import type { IssueText } from "../../../../search/ranking-types.ts";
import { lineScores, splitIdentifier } from "../../../../search/terms.ts";
import { createPacer } from "../../../../tools/lookups/pacer.ts";
import type { RepositoryView } from "./repository-view.ts";

/** Bytes of tests that are searched, and how many of the likely ones have their imports read. */
const MAX_SEARCHED = 30_000_000;

const MAX_READ = 40;

/** Characters of a test that are compared with the words of the issue. */
const MAX_SCORED = 60_000;

/** Work of searching a text and of scoring it, compared to reading it. */
const SEARCHES = 4;

const SCORING = 20;

/** Files opened to find imports through another file. */
const MAX_HOPS = 20;

/** Weights of the signs that a test belongs to a file; tuned on the repositories that bench/VIEW.md names. */
const WORTH = {
  imports: 4,
  throughAnother: 3,
  calls: 3,
  mentions: 2,
  words: 3,
  /** it is a candidate itself */
  own: 20,
  /** it has the file's name, with or without using the file */
  sameName: 4,
  sameNameAlone: 1,
  /** its name has words of the issue, or of the named declarations */
  saidInIssue: 6,
  saidInNames: 3,
  /** past commits changed it with the file, or for a similar reason */
  together: 12,
  alike: 3,
};

const MAX_CALLS = 3;

/** A commit that changed more tests says little about each. */
const MAX_TESTS_OF_COMMIT = 12;

interface TestChoiceInput {
  readonly repositoryView: RepositoryView;
  readonly parser: SourceParser;
  readonly terms: ReadonlyMap<string, number>;
  readonly issue: IssueText;
  /** newest first; empty where it is not known */
  readonly history: readonly PastCommit[];
  /** how many are wanted */
  readonly most: number;
}

/** A test, and how likely it belongs to the files. */
export interface LikelyTest {
  readonly path: string;
  readonly score: number;
}

type ReadTest = LikelyTest & { readonly text: string };

/**
 * Finds the tests of some files, best first, by what past commits changed together, and by what a test imports
 * (directly or through one other file), calls, is called and says. `own`: tests that are candidates themselves.
 */
export async function chooseTests(
  targets: readonly Candidate[],
  own: readonly string[],
  input: TestChoiceInput,
): Promise<readonly LikelyTest[]> {
  const likely = await findLikely(targets, own, input);
  const reach = createReach(new Set(targets.map(({ path: file }) => file)), input);
  const pause = createPacer();
  const nearest: number[] = [];
  for (const { text } of likely) {
    await pause(Math.min(text.length, MAX_SCORED) * SCORING);
    nearest.push(lineScores(text.slice(0, MAX_SCORED).split("\n"), input.terms).reduce((a, b) => Math.max(a, b), 0));
  }
  const most = Math.max(...nearest, 1);
  const ranked: LikelyTest[] = [];
  for (const [at, test] of likely.entries()) {
    const words = ((nearest[at] ?? 0) / most) * WORTH.words;
    ranked.push({ path: test.path, score: test.score + words + (await reach(test)) });
  }
  return ranked.sort(bestFirst).slice(0, input.most);
}

const bestFirst = (a: LikelyTest, b: LikelyTest) => b.score - a.score || (a.path < b.path ? -1 : 1);

/** Tests with a sign cheaper than imports and words; only the best of them. */
async function findLikely(
  targets: readonly Candidate[],
  own: readonly string[],
  { repositoryView, terms, issue, history }: TestChoiceInput,
): Promise<readonly ReadTest[]> {
  const last = (name: string) => name.split(/\W+/).findLast((part) => part.length > 2) ?? "";
  const names = targets.flatMap((one) => one.names ?? []);
  const calls = [...new Set(names.map(last))].filter((name) => name !== "");
  const modules = [...new Set(targets.map(({ path: file }) => moduleOf(file)))].filter((name) => name.length > 2);
  const bases = new Set(targets.map(({ path: file }) => nameOf(file)).filter((name) => name.length > 2));
  const tests = repositoryView.paths().filter(isTestPath);
  const together = changedTogether(targets, history);
  const alike = await changedForTheLike(issue, history);
  const said = saidInPaths(tests, terms, names);
  const found: ReadTest[] = [];
  const pause = createPacer();
  let left = MAX_SEARCHED;
  for (const file of tests) {
    const bytes = left > 0 ? await repositoryView.read(file) : undefined;
    if (!bytes || bytes.length > left) continue;
    left -= bytes.length;
    await pause(bytes.length * SEARCHES);
    const text = Buffer.from(bytes).toString("utf8");
    const called = calls.filter((name) => standsIn(text, name)).length;
    const mentioned = modules.some((name) => standsIn(text, name));
    const isUsed = mentioned || called > 0;
    const sameName = isUsed ? WORTH.sameName : WORTH.sameNameAlone;
    const score =
      (own.includes(file) ? WORTH.own : 0) +
      Math.min(called, MAX_CALLS) * WORTH.calls +
      (mentioned ? WORTH.mentions : 0) +
      (bases.has(nameOf(file)) ? sameName : 0) +
      (together.get(file) ?? 0) * WORTH.together +
      (alike.get(file) ?? 0) * WORTH.alike;
    // Words of the path count only beside another sign.
    if (score > 0) found.push({ path: file, text, score: score + said(file) });
  }
  return found.sort(bestFirst).slice(0, MAX_READ);
}

/** One commit proves little. */
const DOUBT = 1;

/** For each test, the share of past commits to these files that changed it too; commits with many tests count less. */
function changedTogether(targets: readonly Candidate[], history: readonly PastCommit[]): ReadonlyMap<string, number> {
  const wanted = new Set(targets.map(({ path: file }) => file));
  const shares = new Map<string, number>();
  let all = DOUBT;
  for (const { paths } of history) {
    const tests = paths.filter(isTestPath);
    if (tests.length === 0 || tests.length > MAX_TESTS_OF_COMMIT || !paths.some((one) => wanted.has(one))) continue;
    const weight = 1 / Math.sqrt(tests.length);
    all += weight;
    for (const test of tests) shares.set(test, (shares.get(test) ?? 0) + weight);
  }
  return new Map([...shares].map(([test, sum]) => [test, sum / all]));
}

/** For each test, how similar to the issue the best message of its commits is, relative to the most similar of all. */
async function changedForTheLike(
  issue: IssueText,
  history: readonly PastCommit[],
): Promise<ReadonlyMap<string, number>> {
  const likeness = await likenessTo(issue, history);
  const most = likeness.reduce((best, one) => Math.max(best, one), 0);
  const found = new Map<string, number>();
  for (const [at, { paths }] of history.entries()) {
    const tests = paths.filter(isTestPath);
    if (most === 0 || tests.length > MAX_TESTS_OF_COMMIT) continue;
    const score = (likeness[at] ?? 0) / most / Math.sqrt(tests.length || 1);
    for (const test of tests) found.set(test, Math.max(found.get(test) ?? 0, score));
  }
  return found;
}

/** Scores the words that a test's file name shares with the issue and the names; rare words count more. */
function saidInPaths(tests: readonly string[], terms: ReadonlyMap<string, number>, names: readonly string[]) {
  const split = (text: string) => (text.match(/[\p{L}\p{N}_$]+/gu) ?? []).flatMap((one) => splitIdentifier(one));
  const parts = new Map(tests.map((file) => [file, new Set(split(path.posix.basename(file).replace(/\.[^.]*$/, "")))]));
  const holders = new Map<string, number>();
  for (const part of [...parts.values()].flatMap((all) => [...all])) holders.set(part, (holders.get(part) ?? 0) + 1);
  const rarity = (term: string) => Math.log(1 + tests.length / (holders.get(term) ?? 1));
  const shareOf = (weights: ReadonlyMap<string, number>) => {
    const sums = new Map(
      tests.map((file) => {
        const of = [...(parts.get(file) ?? [])];
        return [file, of.reduce((sum, term) => sum + (weights.get(term) ?? 0) * rarity(term), 0)];
      }),
    );
    const most = [...sums.values()].reduce((best, one) => Math.max(best, one), 0);
    return (file: string) => (most === 0 ? 0 : (sums.get(file) ?? 0) / most);
  };
  const inIssue = shareOf(terms);
  const inNames = shareOf(new Map(names.flatMap(split).map((term) => [term, 1])));
  return (file: string) => inIssue(file) * WORTH.saidInIssue + inNames(file) * WORTH.saidInNames;
}

/** Scores whether a test imports one of `wanted`, directly or through a file that it imports. */
function createReach(wanted: ReadonlySet<string>, { repositoryView, parser }: TestChoiceInput) {
  const resolve = createImportResolver(repositoryView.paths());
  const importsOf = async (file: string, text: string) =>
    ((await parser.imports(file, text)) ?? []).flatMap((one) => resolve(file, one));
  const known = new Map<string, boolean>();
  const leads = async (file: string): Promise<boolean> => {
    if (!known.has(file) && known.size < MAX_HOPS) {
      const text = Buffer.from((await repositoryView.read(file)) ?? []).toString("utf8");
      known.set(
        file,
        (await importsOf(file, text)).some((one) => wanted.has(one)),
      );
    }
    return known.get(file) === true;
  };
  return async ({ path: file, text }: ReadTest): Promise<number> => {
    const imported = await importsOf(file, text);
    if (imported.some((one) => wanted.has(one))) return WORTH.imports;
    for (const one of imported) if (await leads(one)) return WORTH.throughAnother;
    return 0;
  };
}

/** Whether a name stands in a text as a whole word. */
function standsIn(text: string, word: string): boolean {
  const isPart = (char: string | undefined) => char !== undefined && /[\w$]/.test(char);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isPart(text[at - 1]) && !isPart(text[at + word.length])) return true;
  return false;
}

/** The name that a file is imported by: its own, or that of its folder for `index` and the like. */
function moduleOf(file: string): string {
  const name = path.posix.basename(file).replace(/\..*/s, "");
  return /^(?:index|__init__|mod|lib|main)$/.test(name) ? path.posix.basename(path.posix.dirname(file)) : name;
}

const nameOf = (file: string) =>
  path.posix
    .basename(file)
    .toLowerCase()
    .replace(/\..*/s, "")
    .replace(/^(?:tests?|specs?)[_-]|[_-]?(?:tests?|specs?)$/g, "");
