import { createTermLookup } from "./create-term-lookup.ts";
import type { FileTokens } from "./file-tokens.ts";
import type { IndexedFile } from "./ranking-types.ts";

/**
 * The places of the files that are scored, ascending: those that hold any of `terms`, in text or path, and sources
 * also when they hold any of `sourceTerms` only. Tens of thousands of fixtures must not keep the sources out.
 */
export function findPool(
  files: readonly IndexedFile[],
  terms: readonly string[],
  sourceTerms: readonly string[],
): number[] {
  const lookup = createTermLookup(terms);
  const sourceLookup = createTermLookup(sourceTerms);
  const holds = ({ table, data, countsEnd }: FileTokens, source: boolean) => {
    const { groupOf } = source ? sourceLookup(table) : lookup(table);
    for (let i = 0; i < countsEnd; i += 2) if (groupOf[data[i] as number] !== 0) return true;
    return false;
  };
  const pool: number[] = [];
  for (let place = 0; place < files.length; place++) {
    const { tokens, pathTokens, group } = files[place] as IndexedFile;
    if (holds(tokens, group === "source") || holds(pathTokens, group === "source")) pool.push(place);
  }
  return pool;
}
