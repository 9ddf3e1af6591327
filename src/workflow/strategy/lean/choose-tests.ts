import path from "node:path";
import type { Candidate } from "../../../model/plan.ts";
import type { SourceParser } from "../../../ports/source-parser.ts";
import { isTestPath } from "../../../search/classify-file.ts";
import { createImportResolver } from "../../../search/import-resolver.ts";
import { lineScores } from "../../../search/terms.ts";
import { createPacer } from "../../../tools/context.ts";
import type { RepositoryView } from "./repository-view.ts";

/** Bytes of tests that are looked through for what they use, and files of those whose imports are read. */
const MAX_SEARCHED = 30_000_000;

const MAX_READ = 40;

/** Characters of a test that are compared with the issue. */
const MAX_SCORED = 60_000;

/** What looking through a text costs beside reading it, and comparing its words. */
const SEARCHES = 4;

const SCORING = 20;

/** Other files that are opened to see whether they import what is wanted. */
const MAX_HOPS = 20;

/** What each sign is worth that a test is one of a file. */
const WORTH = { imports: 8, own: 6, throughAnother: 3, calls: 2, mentions: 2, sameName: 1, words: 3 };

const MAX_CALLS = 3;

interface ChoosingInput {
  readonly repositoryView: RepositoryView;
  readonly parser: SourceParser;
  readonly terms: ReadonlyMap<string, number>;
  /** how many are wanted */
  readonly most: number;
}

interface LikelyTest {
  readonly path: string;
  readonly text: string;
  readonly score: number;
}

/**
 * The tests of some files, best first: what a test imports, directly or through one other file, and what it calls
 * decides, then what it says. `own`: tests that are candidates themselves.
 */
export async function chooseTests(
  targets: readonly Candidate[],
  own: readonly string[],
  input: ChoosingInput,
): Promise<readonly string[]> {
  const likely = await findLikely(targets, own, input.repositoryView);
  const reach = createReach(new Set(targets.map(({ path: file }) => file)), input);
  const pause = createPacer();
  const nearest: number[] = [];
  for (const { text } of likely) {
    await pause(Math.min(text.length, MAX_SCORED) * SCORING);
    nearest.push(lineScores(text.slice(0, MAX_SCORED).split("\n"), input.terms).reduce((a, b) => Math.max(a, b), 0));
  }
  const most = Math.max(...nearest, 1);
  const ranked: { path: string; score: number }[] = [];
  for (const [at, test] of likely.entries()) {
    const words = ((nearest[at] ?? 0) / most) * WORTH.words;
    ranked.push({ path: test.path, score: test.score + words + (await reach(test)) });
  }
  return ranked
    .sort(bestFirst)
    .slice(0, input.most)
    .map((one) => one.path);
}

type Scored = { readonly path: string; readonly score: number };

const bestFirst = (a: Scored, b: Scored) => b.score - a.score || (a.path < b.path ? -1 : 1);

/** Tests in which the files' names, or what is named of them, stand as words; only their beginning for want of time. */
async function findLikely(
  targets: readonly Candidate[],
  own: readonly string[],
  repositoryView: RepositoryView,
): Promise<readonly LikelyTest[]> {
  const last = (name: string) => name.split(/\W+/).findLast((part) => part.length > 2) ?? "";
  const calls = [...new Set(targets.flatMap(({ names = [] }) => names.map(last)))].filter((name) => name !== "");
  const modules = [...new Set(targets.map(({ path: file }) => moduleOf(file)))].filter((name) => name.length > 2);
  const bases = new Set(targets.map(({ path: file }) => nameOf(file)).filter((name) => name.length > 2));
  const found: LikelyTest[] = [];
  const pause = createPacer();
  let left = MAX_SEARCHED;
  for (const file of repositoryView.paths().filter(isTestPath)) {
    const bytes = left > 0 ? await repositoryView.read(file) : undefined;
    if (!bytes || bytes.length > left) continue;
    left -= bytes.length;
    await pause(bytes.length * SEARCHES);
    const text = Buffer.from(bytes).toString("utf8");
    const called = calls.filter((name) => standsIn(text, name)).length;
    const score =
      (own.includes(file) ? WORTH.own : 0) +
      Math.min(called, MAX_CALLS) * WORTH.calls +
      (modules.some((name) => standsIn(text, name)) ? WORTH.mentions : 0) +
      (bases.has(nameOf(file)) ? WORTH.sameName : 0);
    if (score > 0) found.push({ path: file, text, score });
  }
  return found.sort(bestFirst).slice(0, MAX_READ);
}

/** Gives what it is worth that a test imports one of `wanted`, itself or through a file that it imports. */
function createReach(wanted: ReadonlySet<string>, { repositoryView, parser }: ChoosingInput) {
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
  return async ({ path: file, text }: LikelyTest): Promise<number> => {
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

/** What a file is imported by: its name, or its folder's when it stands for that. */
function moduleOf(file: string): string {
  const name = path.posix.basename(file).replace(/\..*$/, "");
  return /^(?:index|__init__|mod|lib|main)$/.test(name) ? path.posix.basename(path.posix.dirname(file)) : name;
}

const nameOf = (file: string) =>
  path.posix
    .basename(file)
    .toLowerCase()
    .replace(/\..*$/, "")
    .replace(/^(?:tests?|specs?)[_-]|[_-]?(?:tests?|specs?)$/g, "");
