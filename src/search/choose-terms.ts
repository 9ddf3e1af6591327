import { countHolders } from "./count-holders.ts";
import type { IndexedFile } from "./ranking-types.ts";

/** A term to search for: its weight in the issue, how rare it is, and how many files hold it. */
export interface SearchTerm {
  readonly term: string;
  readonly weight: number;
  readonly idf: number;
  readonly holders: number;
}

/**
 * The terms that are in the files at all, the `most` telling of them first: the rarer, and the more weight, the more
 * telling. A long issue is ranked as well by 40 of its terms as by all, in a third of the time.
 */
export function chooseTerms(
  files: readonly IndexedFile[],
  terms: ReadonlyMap<string, number>,
  most: number,
): SearchTerm[] {
  const names = [...terms.keys()];
  const counts = countHolders(files, names);
  return names
    .map((term, i): SearchTerm => {
      const holders = counts[i] as number;
      const idf = Math.log(1 + (files.length - holders + 0.5) / (holders + 0.5));
      return { term, weight: terms.get(term) ?? 0, idf, holders };
    })
    .filter(({ holders }) => holders > 0)
    .sort((a, b) => b.weight * b.idf - a.weight * a.idf || (a.term < b.term ? -1 : 1))
    .slice(0, most);
}
