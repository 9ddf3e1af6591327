import type { Mirror } from "../../ports/mirror.ts";
import { indexTree } from "../../search/index-tree.ts";
import { rankFiles } from "../../search/rank-files.ts";
import { TokenCache } from "../../search/token-cache.ts";
import type { createLunrBaseline } from "./create-lunr-baseline.ts";

/** Bytes; larger files are no text that people write. */
const MAX_SIZE = 512 * 1024;
const CACHE_BYTES = 2 ** 32;

export interface Baselines {
  /** plain BM25 over whole files, tests and documentation too: the paper's baseline */
  readonly bm25: readonly string[];
  /** the product's own ranking without any model */
  readonly ranking: readonly string[];
  /** files that BM25 ranked */
  readonly corpus: number;
}

/** Ranks a commit's files against an issue without a model, two ways; each list has `most` paths at most, best first. */
export async function rankBaselines(deps: {
  readonly mirror: Mirror;
  readonly commit: string;
  readonly issue: { readonly title: string; readonly body: string; readonly hints: string };
  readonly baseline: ReturnType<typeof createLunrBaseline>;
  readonly most: number;
}): Promise<Baselines> {
  const { mirror, commit, issue, most } = deps;
  const entries = await mirror.entries(commit);
  const texts = entries.filter(({ mode, size = Infinity }) => mode.startsWith("100") && size <= MAX_SIZE);
  const paths = new Map<string, string[]>();
  for (const { blob, path } of texts) paths.set(blob, [...(paths.get(blob) ?? []), path]);
  const cache = new TokenCache({ mostBytes: CACHE_BYTES });
  const attributes = new Map<string, Uint8Array>();
  const bm25 = deps.baseline([issue.title, issue.body, issue.hints].filter((text) => text !== "").join("\n"));
  const decoder = new TextDecoder();
  let corpus = 0;
  await mirror.readBlobs([...paths.keys()], (blob, content) => {
    cache.add(blob, content);
    const holders = paths.get(blob) ?? [];
    if (holders.some((path) => path.endsWith(".gitattributes"))) attributes.set(blob, content);
    if (content.subarray(0, 8_000).includes(0)) return;
    const text = decoder.decode(content);
    corpus += holders.length;
    for (const path of holders) bm25.add(path, text);
  });
  const readBlob = async (blob: string) => attributes.get(blob) ?? new Uint8Array();
  const { files } = await indexTree({ entries, readBlob, cache, largest: MAX_SIZE });
  const hints = issue.hints === "" ? [] : [issue.hints];
  const ranked = rankFiles({ files, issue: { ...issue, hints }, limit: most });
  return { bm25: bm25.ranked().slice(0, most), ranking: ranked.map(({ path }) => path), corpus };
}
