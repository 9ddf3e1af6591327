import { createTermLookup } from "./create-term-lookup.ts";
import type { FileTokens } from "./file-tokens.ts";
import type { IndexedFile } from "./ranking-types.ts";

/**
 * For each term how many files hold it, in text or path: one walk over counts that are there already. An inverted
 * index of everything would cost more to build than the few queries asked of one commit cost this way.
 */
export function countHolders(files: readonly IndexedFile[], terms: readonly string[]): Int32Array {
  const lookup = createTermLookup(terms);
  const holders = new Int32Array(terms.length);
  const last = new Int32Array(terms.length).fill(-1);
  const walk = ({ table, data, countsEnd }: FileTokens, file: number) => {
    const { groupOf, groups } = lookup(table);
    for (let i = 0; i < countsEnd; i += 2) {
      const group = groupOf[data[i] as number] as number;
      if (group === 0) continue;
      for (const term of groups[group] as readonly number[]) {
        if (last[term] === file) continue;
        last[term] = file;
        holders[term] = (holders[term] as number) + 1;
      }
    }
  };
  for (let file = 0; file < files.length; file++) {
    const { tokens, pathTokens } = files[file] as IndexedFile;
    walk(tokens, file);
    walk(pathTokens, file);
  }
  return holders;
}
