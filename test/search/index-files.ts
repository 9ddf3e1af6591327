import { indexTree, type TreeIndex } from "../../src/search/index-tree.ts";
import { TokenCache } from "../../src/search/token-cache.ts";

/** Indexes files given as text by path; the blob id is the path's number. */
export async function indexFiles(
  texts: Readonly<Record<string, string>>,
  cache = new TokenCache(),
): Promise<TreeIndex> {
  const paths = Object.keys(texts);
  const contents = paths.map((path) => new TextEncoder().encode(texts[path]));
  return indexTree({
    entries: paths.map((path, i) => ({ path, blob: `${i}`, mode: "100644", size: contents[i]?.length ?? 0 })),
    readBlob: (blob) => Promise.resolve(contents[Number(blob)] ?? new Uint8Array()),
    cache,
  });
}
