import type { SourceParser } from "../../../code/source-parser.ts";
import type { Candidate } from "../../../data/plan.ts";
import type { PastCommit } from "../../../git/repository.ts";
import { isTestPath } from "../../../search/classify-file.ts";
import { mayImport, moduleOf } from "../../../search/imports.ts";
import type { IssueText } from "../../../search/ranking-types.ts";
import { readMentions } from "../../../search/read-mentions.ts";
import { joinedName, splitIdentifier, stemOfPath } from "../../../search/terms.ts";
import { createPacer } from "../../../text/next-turn.ts";
import type { RepositoryView } from "./repository-view.ts";

/** Bytes of tests that are searched, and the likely ones whose imports are read. */
const MAX_SEARCHED = 30_000_000;

const MAX_READ = 40;

/** Work of searching a text, compared to reading it. */
const SEARCHES = 4;

/** Weights of the signs that a test belongs to a file. */
const WORTH = {
  /** it is a candidate itself */
  own: 20,
  /** the issue writes its whole name as code, in any spelling */
  named: 7,
  /** past commits changed it with the file */
  together: 12,
  /** it imports the file, or calls declarations that may change */
  imports: 4,
  calls: 3,
  /** its path has words of theirs, or of the issue's title */
  words: 6,
  wordsAlone: 1,
};

/** A commit that changed more tests says little about each. */
const MAX_TESTS_OF_COMMIT = 12;

interface TestChoiceInput {
  repositoryView: RepositoryView;
  parser: SourceParser;
  issue: IssueText;
  /** newest first; empty where it is not known */
  history: readonly PastCommit[];
  /** how many are wanted */
  most: number;
}

/** A test, and how likely it belongs to the files. */
export interface LikelyTest {
  path: string;
  score: number;
}

/**
 * Finds the tests of some files, best first: by what the issue names and past commits changed together, by what a test
 * imports and calls, and by the words of paths, folders too. `own`: tests that are candidates themselves.
 */
export async function chooseTests(
  targets: readonly Candidate[],
  own: readonly string[],
  input: TestChoiceInput,
): Promise<readonly LikelyTest[]> {
  const { repositoryView, parser, issue, history, most } = input;
  const names = targets.flatMap((one) => one.names ?? []);
  const called = [...new Set(names.map(lastPart))].filter((name) => name !== "");
  const modules = targets.map(({ path }) => moduleOf(path)).filter((name) => name.length > 2);
  const tests = repositoryView.paths().filter(isTestPath);
  const named = namedBy(issue, tests);
  const together = changedTogether(targets, history);
  const wordsOfPath = nearInPaths(targets, tests, issue);
  const found: (LikelyTest & { text: string; words: number })[] = [];
  for await (const { path, text } of readTests(tests, repositoryView)) {
    const calls = called.filter((name) => standsIn(text, name)).length;
    const score =
      (own.includes(path) ? WORTH.own : 0) +
      (named.get(path) ?? 0) * WORTH.named +
      calls * WORTH.calls +
      (together.get(path) ?? 0) * WORTH.together;
    const words = wordsOfPath(path);
    const namesOne = modules.some((name) => standsIn(text, name));
    if (score > 0 || namesOne || words > WORTH.words / 2) found.push({ path, text, score, words });
  }
  found.sort((a, b) => bestFirst({ ...a, score: a.score + a.words }, { ...b, score: b.score + b.words }));
  const ranked: LikelyTest[] = [];
  for (const { path, text, score: signs, words } of found.slice(0, MAX_READ)) {
    const imports = (await parser.imports(path, text)) ?? [];
    const isUser = imports.some((one) => targets.some((target) => mayImport(path, one, target.path)));
    const score = signs + (isUser ? WORTH.imports : 0);
    if (score > 0) ranked.push({ path, score: score + words });
    else if (words > WORTH.words / 2) ranked.push({ path, score: WORTH.wordsAlone });
  }
  return ranked.sort(bestFirst).slice(0, most);
}

const bestFirst = (a: LikelyTest, b: LikelyTest) => b.score - a.score || (a.path < b.path ? -1 : 1);

const lastPart = (name: string) => name.split(/\W+/).findLast((part) => part.length > 2) ?? "";

/** Reads tests in their order, up to a number of bytes in all. */
async function* readTests(tests: readonly string[], view: RepositoryView) {
  const pause = createPacer();
  let left = MAX_SEARCHED;
  for (const path of tests) {
    const bytes = await view.read(path);
    if (!bytes || bytes.length > left) continue;
    left -= bytes.length;
    await pause(bytes.length * SEARCHES);
    yield { path, text: Buffer.from(bytes).toString("utf8") };
  }
}

/** The tests that are called as a name of the issue, each with its share among those of that name. */
function namedBy(issue: IssueText, tests: readonly string[]): ReadonlyMap<string, number> {
  const names = new Map(readMentions(issue).symbols.map((name): [string, string[]] => [joinedName(name), []]));
  for (const path of tests) names.get(joinedName(stemOfPath(path)))?.push(path);
  return new Map([...names.values()].flatMap((paths) => paths.map((path) => [path, 1 / paths.length])));
}

/**
 * Scores the words of a test's path, folders too, that the files' paths, the names in them or the issue's title have; the
 * fewer tests have a word, the more it counts.
 */
function nearInPaths(targets: readonly Candidate[], tests: readonly string[], { title }: IssueText) {
  const said = [title, ...targets.flatMap((one) => [one.path, ...(one.names ?? [])])];
  const wanted = new Set(said.flatMap(wordsOf));
  const words = new Map(tests.map((file) => [file, new Set(wordsOf(file).filter((word) => wanted.has(word)))]));
  const holders = new Map<string, number>();
  for (const word of [...words.values()].flatMap((all) => [...all])) holders.set(word, (holders.get(word) ?? 0) + 1);
  const rarity = (word: string) => Math.log(tests.length / (holders.get(word) ?? 1));
  const sums = new Map([...words].map(([file, own]) => [file, [...own].reduce((sum, word) => sum + rarity(word), 0)]));
  const most = [...sums.values()].reduce((best, one) => Math.max(best, one), 0);
  return (file: string): number => (most === 0 ? 0 : ((sums.get(file) ?? 0) / most) * WORTH.words);
}

const wordsOf = (text: string): readonly string[] =>
  (text.match(/[\p{L}\p{N}_$]+/gu) ?? []).flatMap((word) => splitIdentifier(word));

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

/** Whether a name stands in a text as a whole word. */
function standsIn(text: string, word: string): boolean {
  const isPart = (char: string | undefined) => char !== undefined && /[\w$]/.test(char);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isPart(text[at - 1]) && !isPart(text[at + word.length])) return true;
  return false;
}
