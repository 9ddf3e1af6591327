import type { Custodian } from "../../agents/custodian.ts";
import type { IssueSnapshot } from "../../domain/issue/issue-snapshot.ts";
import { rankFiles } from "../../domain/ranking/rank-files.ts";
import type { IndexedFile } from "../../domain/ranking/ranking-types.ts";
import { repositoryMap } from "../../domain/ranking/repository-map.ts";

/** Characters of the map, about a quarter as many tokens. */
const MAP_BUDGET = 16_000;
/** Files the map is made around: beyond them only names and folders are shown. */
const MAPPED_FILES = 400;
/** Files that the reading of the map may add to the candidates. */
const MOST_ADDED = 5;

/** A file of the pool that Algorithm 1 works on, and why it is in it. */
export interface PooledFile {
  readonly path: string;
  readonly blob: string;
  readonly score: number;
  readonly reasons: readonly string[];
}

/**
 * The candidates of Algorithm 1, line 2: the top `limit` files by BM25 and by what the issue names. Beyond the paper, with
 * `custodian` given, it also reads a map of the repository and names files and terms that the issue's words miss; only
 * paths that exist count. A repository in which every file is a candidate anyway needs no map.
 */
export async function findCandidates(deps: {
  readonly issue: IssueSnapshot;
  readonly files: readonly IndexedFile[];
  readonly limit: number;
  readonly custodian: Custodian | undefined;
}): Promise<readonly PooledFile[]> {
  const { issue, files, limit, custodian } = deps;
  const hints = [issue.hint, ...issue.discussion.map(({ body }) => body)].filter((text) => text !== "");
  const rank = (more: readonly string[], most: number) =>
    rankFiles({ files, issue: { title: issue.title, body: issue.body, hints: [...hints, ...more] }, limit: most });
  const ranked = rank([], MAPPED_FILES);
  const found = ranked.slice(0, limit);
  if (!custodian || files.length <= limit) return found;

  const relevant = ranked.map(({ path }) => path);
  const map = repositoryMap(files, relevant, MAP_BUDGET);
  const reading = await custodian.readMap(issue, map, relevant.slice(0, limit));
  const byTerms = reading.terms.length > 0 ? rank([reading.terms.join(" ")], limit) : [];
  const named = reading.files.flatMap(({ path, reason }) => {
    const file = files.find((one) => one.path === path);
    const score = ranked.find((one) => one.path === path)?.score ?? 0;
    return file ? [{ path, blob: file.blob, score, reasons: [`named from the map: ${reason}`] }] : [];
  });
  const added = [
    ...named,
    ...byTerms.map((file) => ({ ...file, reasons: [...file.reasons, "found by a term from the map"] })),
  ];
  const pool = new Map(found.map((file) => [file.path, file as PooledFile]));
  for (const file of added) if (pool.size < limit + MOST_ADDED && !pool.has(file.path)) pool.set(file.path, file);
  return [...pool.values()];
}
