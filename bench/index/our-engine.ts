import { indexTree } from "../../src/search/index-tree.ts";
import { rankFiles } from "../../src/search/rank-files.ts";
import { TokenCache } from "../../src/search/token-cache.ts";
import type { Engine } from "./engine.ts";

/** Ours, all of it: files are classified, counted and cached; a query reads mentions, too. */
export const ourEngine: Engine = async (entries) => {
  const bytes = new Map(entries.map((entry) => [entry.blob, entry.bytes]));
  const readBlob = (blob: string) => Promise.resolve(bytes.get(blob) as Uint8Array);
  const cache = new TokenCache({ mostBytes: 2 ** 32 });
  const { files } = await indexTree({ entries, readBlob, cache });
  return (issue) => rankFiles({ files, issue, limit: 20 }).map(({ path }) => path);
};
