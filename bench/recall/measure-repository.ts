import { rankByBm25 } from "../../eval/evaluation/measures/baselines.ts";
import { createSourceParser } from "../../src/code/tree-sitter/source-parser.ts";
import { localPast } from "../../src/git/open-local-repository.ts";
import type { TreeFile } from "../../src/search/attributes.ts";
import { addFurtherEvidence } from "../../src/search/further-evidence.ts";
import { indexTree } from "../../src/search/index-tree.ts";
import { rankFiles } from "../../src/search/rank-files.ts";
import { issueTerms, TokenCache } from "../../src/search/token-cache.ts";
import { createLunrDefault } from "./create-lunr-default.ts";
import { listTree, readBlobs } from "./git.ts";
import { type Fix, listFixes } from "./list-fixes.ts";

export const DEPTHS = [1, 5, 10, 20] as const;
export const RANKINGS = ["lunr", "bm25", "alone", "withoutPast", "ours"] as const;
export type Ranking = (typeof RANKINGS)[number];

/** Mean recall of a repository's fixes at each depth, for each ranking. */
export interface Measured {
  name: string;
  fixes: number;
  files: number;
  /** fixes that were left out, since the mirror lacks a file that they changed */
  lacking: number;
  recall: Readonly<Record<Ranking, readonly number[]>>;
}

const MAX_SIZE = 512 * 1024;

const HOW = { environment: process.env, signal: new AbortController().signal };

const parser = createSourceParser();

interface Measuring {
  name: string;
  count: number;
  /** what is to be found as it was before: files too that MAGIS leaves out because they are generated */
  former: boolean;
  /** ours alone: the baselines, which take most of the time, stay at 0 */
  oursOnly: boolean;
  /** hears of each fix with what was found first */
  onFix?: (fix: Fix, ours: readonly string[]) => void;
}

/**
 * Ranks the parent of every fix five ways (`alone`: ours by the text alone; `withoutPast`: without past commits).
 */
export async function measureRepository(
  repository: string,
  { name, count, former, oursOnly, onFix }: Measuring,
): Promise<Measured> {
  const fixes = listFixes(repository, count, former);
  const cache = new TokenCache({ mostBytes: 4 * 2 ** 30 });
  const lunrDefault = oursOnly ? undefined : createLunrDefault();
  const sums: Record<Ranking, number[]> = {
    lunr: [0, 0, 0, 0],
    bm25: [0, 0, 0, 0],
    alone: [0, 0, 0, 0],
    withoutPast: [0, 0, 0, 0],
    ours: [0, 0, 0, 0],
  };
  let measured = 0;
  const textOf = createReader(repository);
  let lacking = 0;
  let size = 0;
  for (const fix of fixes) {
    const entries = listTree(repository, fix.parent);
    const present = new Set(entries.filter(({ size }) => size !== undefined).map(({ path }) => path));
    if (fix.gold.some((path) => !present.has(path))) {
      lacking++;
      continue;
    }
    const texts = entries.filter(({ mode, size = Infinity }) => mode.startsWith("100") && size <= MAX_SIZE);
    const kept = await readNew(repository, texts, cache, lunrDefault);
    const index = await indexTree({
      entries,
      readBlob: async (blob) => kept.get(blob) ?? (await readBlob(repository, blob)),
      cache,
    });
    const { files } = index;
    const gold = former ? fix.gold : fix.gold.filter((path) => index.classes.get(path)?.group !== null);
    if (gold.length === 0) continue;
    measured++;
    const found = rankFiles({ files, issue: fix, limit: 400 });
    const history = (await localPast(repository, fix.parent, HOW)).history;
    const evidence = { ranked: found, files, issue: fix, parser, textOf };
    const withoutPast = await addFurtherEvidence({ ...evidence, history: [] });
    const joined = await addFurtherEvidence({ ...evidence, history });
    const words = issueTerms({ title: fix.title, body: fix.body });
    const ranked: Record<Ranking, readonly string[]> = {
      lunr: lunrDefault?.rank(texts, `${fix.title}\n${fix.body}`) ?? [],
      bm25: oursOnly ? [] : rankByBm25(texts, cache, words.keys()).slice(0, 20),
      alone: found.slice(0, 20).map(({ path }) => path),
      withoutPast: withoutPast.slice(0, 20).map(({ path }) => path),
      ours: joined.slice(0, 20).map(({ path }) => path),
    };
    size = texts.length;
    onFix?.({ ...fix, gold }, ranked.ours);
    for (const ranking of RANKINGS)
      DEPTHS.forEach((depth, i) => {
        const top = new Set(ranked[ranking].slice(0, depth));
        const found = gold.filter((path) => top.has(path)).length;
        sums[ranking][i] = (sums[ranking][i] as number) + found / gold.length;
      });
  }
  const mean = (ranking: Ranking) => sums[ranking].map((sum) => sum / Math.max(1, measured));
  return {
    name,
    fixes: measured,
    files: size,
    lacking,
    recall: {
      lunr: mean("lunr"),
      bm25: mean("bm25"),
      alone: mean("alone"),
      withoutPast: mean("withoutPast"),
      ours: mean("ours"),
    },
  };
}

/** Reads files, each blob once. */
function createReader(repository: string) {
  const texts = new Map<string, string>();
  return async ({ blob }: { blob: string }) => {
    const text = texts.get(blob) ?? new TextDecoder().decode(await readBlob(repository, blob));
    texts.set(blob, text);
    return text;
  };
}

async function readBlob(repository: string, blob: string): Promise<Uint8Array> {
  let read = new Uint8Array();
  await readBlobs(repository, [blob], (_, bytes) => {
    read = Uint8Array.from(bytes);
  });
  return read;
}

/** Counts what neither ranking knows yet. Gives back .gitattributes files, which are read again for every commit. */
async function readNew(
  repository: string,
  texts: readonly TreeFile[],
  cache: TokenCache,
  lunrDefault: ReturnType<typeof createLunrDefault> | undefined,
): Promise<Map<string, Uint8Array>> {
  const attributes = new Set(texts.filter(({ path }) => path.endsWith(".gitattributes")).map(({ blob }) => blob));
  const wanted = [...new Set(texts.map(({ blob }) => blob))].filter(
    (blob) => attributes.has(blob) || cache.get(blob) === undefined,
  );
  const kept = new Map<string, Uint8Array>();
  const decoder = new TextDecoder();
  await readBlobs(repository, wanted, (blob, bytes) => {
    if (attributes.has(blob)) kept.set(blob, bytes);
    if (cache.get(blob) !== undefined) return;
    cache.add(blob, bytes);
    if (!bytes.subarray(0, 8_000).includes(0)) lunrDefault?.add(blob, decoder.decode(bytes));
  });
  return kept;
}
