import type { IdentifierTable } from "./identifier-table.ts";
import type { FileTokens, IndexedFile } from "./ranking-types.ts";

/** Which files hold a term, and how often: in the text, and in the path. */
export interface Posting {
  /** indexes in the list of files, ascending */
  files: number[];
  text: number[];
  path: number[];
}

/**
 * The postings of `terms` alone, in one walk over the counts. A full inverted index would cost more to build than the
 * few queries on one commit cost this way.
 */
export function collectPostings(files: readonly IndexedFile[], terms: readonly string[]): Posting[] {
  const lookup = createTermLookup(terms);
  const postings = terms.map((): Posting => ({ files: [], text: [], path: [] }));
  const text = new Float64Array(terms.length);
  const path = new Float64Array(terms.length);
  const touched: number[] = [];

  const count = ({ table, counts }: FileTokens, into: Float64Array) => {
    const { groupOf, groups } = lookup(table);
    for (let i = 0; i < counts.length; i += 2) {
      const group = groupOf[counts[i] as number] as number;
      if (group === 0) continue;
      for (const term of groups[group] as readonly number[]) {
        if (text[term] === 0 && path[term] === 0) touched.push(term);
        into[term] = (into[term] as number) + (counts[i + 1] as number);
      }
    }
  };
  files.forEach(({ tokens, pathTokens }, place) => {
    count(tokens, text);
    count(pathTokens, path);
    for (const term of touched) {
      const posting = postings[term] as Posting;
      posting.files.push(place);
      posting.text.push(text[term] as number);
      posting.path.push(path[term] as number);
    }
    for (const term of touched) text[term] = path[term] = 0;
    touched.length = 0;
  });
  return postings;
}

/** Which of the terms an identifier stands for: `groups[groupOf[identifier]]`, as indexes; group 0 is empty. */
interface TermLookup {
  groupOf: Int32Array;
  groups: readonly (readonly number[])[];
}

/** Gives the lookup of `terms` in a table of identifiers; computed once per table. */
function createTermLookup(terms: readonly string[]): (table: IdentifierTable) => TermLookup {
  const known = new Map<IdentifierTable, TermLookup>();
  return (table) => getOrMake(known, table, () => lookup(table, terms));
}

function lookup(table: IdentifierTable, terms: readonly string[]): TermLookup {
  const carriers = terms.map((term) => table.carriers(term));
  const groupOf = new Int32Array(table.size);
  const groups: number[][] = [[]];
  carriers.forEach((ids, term) => {
    for (const id of ids) {
      const group = groupOf[id] as number;
      if (group > 0) groups[group]?.push(term);
      else groupOf[id] = groups.push([term]) - 1;
    }
  });
  return { groupOf, groups };
}

/** The map's value for `key`; makes and keeps one if there is none. */
export function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
