import pMap from "p-map";
import { splitLines } from "../code/edits/text-file.ts";
import { isTestKind } from "../code/source-parser.ts";
import { MagisError } from "../data/error.ts";
import { CANDIDATES, type LocateInput, type Pool } from "../run/strategy.ts";
import { declarationsOf } from "../search/declarations.ts";
import { MAX_UNDIVIDED } from "../search/file-parts.ts";
import { addFurtherEvidence } from "../search/further-evidence.ts";
import { indexTree, type TreeIndex } from "../search/index-tree.ts";
import { repositoryMap } from "../search/outline.ts";
import { kindInWords } from "../search/path-rules.ts";
import { rankFiles } from "../search/rank-files.ts";
import type { Candidate, IssueText } from "../search/ranking-types.ts";
import { readMentions } from "../search/read-mentions.ts";
import { createPathMatcher } from "../search/score-mentions.ts";
import { codeSpan } from "../text/compose-markdown.ts";
import { figure } from "../text/counted.ts";

/** The files that the Custodian is to judge. */
interface RankedRepository {
  pool: Pool;
  /** how many files were searched, in words; `detail` while the Custodian works */
  counts: string;
  detail: string;
  /** what could not be read, in words */
  unread?: string | undefined;
}

/** Characters of the map, about a quarter as many tokens. */
const MAP_BUDGET = 4_100;

/** Files the map is made around: beyond them only names and folders are shown. */
const MAPPED_FILES = 400;

/** Files of the map whose declarations a parser finds: about as many as there is room for. */
const PARSED_FILES = 48;

const PARSED_AT_ONCE = 8;

/**
 * Ranks by BM25 and what the issue names, with a map of the repository for what the search has missed. Throws
 * NOTHING_TO_SEARCH where no file can be searched.
 */
export async function rankRepository(deps: LocateInput): Promise<RankedRepository> {
  const { issue, repository, settings, candidates = CANDIDATES } = deps;
  const [{ files, classes, unread }, history] = await Promise.all([
    indexTree({
      entries: [...repository.entries.values()].filter(({ path }) => !deps.policy.ignored(path)),
      readBlob: (blob) => repository.readBlob(blob),
      cache: deps.tokenCache,
    }),
    repository.history(),
  ]);
  if (files.every(({ path }) => path === SETTINGS_FILE)) throw nothingToSearch(classes, repository.entries.size);
  const hints = [issue.hint, ...issue.discussion.map(({ body }) => body)].filter((text) => text !== "");
  const text = { title: issue.title, body: issue.body, hints };
  const byText = rankFiles({ files, issue: text, limit: Math.max(MAPPED_FILES, candidates) });
  const ranked = await addFurtherEvidence({
    ranked: byText,
    files,
    issue: text,
    history,
    parser: deps.parser,
    textOf: async ({ blob, best }) => excerptOf(Buffer.from(await repository.readBlob(blob)), best).toString("utf8"),
  });
  const best = ranked.slice(0, candidates);
  const paths = ranked.map(({ path }) => path);
  const whyNot = (path: string) => {
    const found = classes.get(path);
    return found?.group === null
      ? `${codeSpan(path)} is left out: ${kindInWords(found.kind)} (${found.reason})`
      : undefined;
  };
  const mapped = !settings.ablate.includes("map") && files.length > best.length;
  const declared = mapped ? await declaredBy(ranked.slice(best.length, best.length + PARSED_FILES), deps) : undefined;
  return {
    pool: {
      files: best,
      map: mapped ? repositoryMap(files, paths, MAP_BUDGET, { known: paths.slice(0, best.length), declared }) : "",
      known: (path) => files.find((file) => file.path === path),
      whyNot,
    },
    counts: `${figure(files.length, "file")} searched`,
    detail: `${files.length} of ${figure(repository.entries.size, "file")} searched`,
    unread: [unread, ...namedIn(text, classes).map(whyNot)].filter((one) => one !== undefined).join("; "),
  };
}

/** The best of a ranking that was made elsewhere, without a map: nothing of ours is added. */
export function rankedBefore(
  ranked: readonly string[],
  { repository, candidates = CANDIDATES }: LocateInput,
): RankedRepository {
  const known = (path: string) => {
    const entry = repository.entries.get(path);
    return entry && { path, blob: entry.blob };
  };
  const files = ranked.slice(0, candidates).flatMap((path, index) => {
    const file = known(path);
    return file ? [{ ...file, score: 1 / (index + 1), reasons: ["BM25"] }] : [];
  });
  const counts = `${figure(ranked.length, "file")} ranked by BM25 alone`;
  return { pool: { files, map: "", known }, counts, detail: counts };
}

/** The most left-out files that are named to people. */
const MAX_NAMED = 3;

/** The files that an issue names, and that are left out of the search. */
function namedIn(text: IssueText, classes: TreeIndex["classes"]): readonly string[] {
  const leftOut = [...classes].filter(([, { group }]) => group === null).map(([path]) => path);
  const { paths } = readMentions(text);
  const find = createPathMatcher(leftOut);
  const found = paths.map((path) => ({ ...find(path), wanted: path.split("/").length }));
  const sure = found.filter(({ files, parts, wanted }) => files.length === 1 && parts === wanted);
  return [...new Set(sure.flatMap(({ files }) => files.map((at) => leftOut[at] as string)))].slice(0, MAX_NAMED);
}

/** Names what the best files outside of the pool declare. Large files and those without any such name are left out. */
async function declaredBy(
  ranked: readonly Candidate[],
  { repository, parser }: LocateInput,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = await pMap(
    ranked,
    async ({ path, blob }): Promise<readonly [string, readonly string[]]> => {
      const content = Buffer.from(await repository.readBlob(blob));
      if (content.length > MAX_UNDIVIDED) return [path, []];
      const declared = (await declarationsOf(path, splitLines(content.toString("utf8")), parser)) ?? [];
      // A namespace says no more than the file's folder.
      const names = declared.filter(({ kind }) => kind !== "module" && !isTestKind(kind)).map(({ name }) => name);
      return [path, names];
    },
    { concurrency: PARSED_AT_ONCE },
  );
  return new Map(found.filter(([, names]) => names.length > 0));
}

/** Bytes of a large file in which its imports are. */
const BEGINNING = 8_000;

/** All of a file; of a large one its beginning and the parts that have most to do with the issue. */
function excerptOf(content: Buffer, best: Candidate["best"] = []): Buffer {
  if (content.length <= MAX_UNDIVIDED) return content;
  const places = [{ start: 0, end: BEGINNING }, ...best];
  return Buffer.concat(places.map(({ start, end }) => content.subarray(start, end)));
}

/** Tells the agents how to work: not a file to search. */
const SETTINGS_FILE = ".github/magis.yml";

/**
 * The error for a repository without searchable files, which says what it holds instead; `all`: how many files there
 * are, including ignored ones.
 */
function nothingToSearch(classes: TreeIndex["classes"], all: number): MagisError {
  const leftOut = [...classes].filter(([path]) => path !== SETTINGS_FILE);
  const kinds = leftOut.map(([, { kind }]) => kindInWords(kind));
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const ignored = all - classes.size;
  if (ignored > 0) counts.set("ignored by `.github/magis.yml`", ignored);
  const kindsLeftOut = [...counts].map(([kind, count]) => `${kind} (${count})`).join(", ");
  const what = all === 0 ? "the commit holds no files" : `its files are all left out, as ${kindsLeftOut}`;
  return new MagisError("NOTHING_TO_SEARCH", `There is nothing in this repository that can be searched: ${what}.`);
}
