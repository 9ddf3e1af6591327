import { addTo } from "../data/add-to.ts";
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
  const lookups = new Map<IdentifierTable, TermLookup>();
  const postings = terms.map((): Posting => ({ files: [], text: [], path: [] }));
  const text = new Float64Array(terms.length);
  const path = new Float64Array(terms.length);
  const touched: number[] = [];

  const count = ({ table, counts }: FileTokens, into: Float64Array) => {
    const termsOf = getOrMake(lookups, table, () => lookUp(terms, table));
    for (let i = 0; i < counts.length; i += 2) {
      for (const term of termsOf.get(counts[i] as number) ?? NONE) {
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

/** The terms that identifiers stand for, as indexes, by the identifier's number. */
type TermLookup = ReadonlyMap<number, readonly number[]>;

const NONE: readonly number[] = [];

function lookUp(terms: readonly string[], table: IdentifierTable): TermLookup {
  const termsOf = new Map<number, number[]>();
  for (const [term, name] of terms.entries())
    for (const identifier of table.carriers(name)) addTo(termsOf, identifier, term);
  return termsOf;
}

/** The map's value for `key`; makes and keeps one if there is none. */
export function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
