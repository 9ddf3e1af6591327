import type { IdentifierTable } from "./identifier-table.ts";
import type { FileTokens, IndexedFile } from "./ranking-types.ts";

/** In which files a term stands, and how often: in the text, in the path, in the names the file declares. */
export interface Posting {
  readonly files: number[];
  readonly text: number[];
  readonly path: number[];
  readonly definitions: number[];
}

/** The postings of `terms`, and of no other, in the files of `pool`, which are places in `files`, ascending. */
export function collectPostings(
  files: readonly IndexedFile[],
  pool: Iterable<number>,
  terms: readonly string[],
): Posting[] {
  const lookup = createTermLookup(terms);
  const postings = terms.map((): Posting => ({ files: [], text: [], path: [], definitions: [] }));
  const text = new Float64Array(terms.length);
  const path = new Float64Array(terms.length);
  const definitions = new Float64Array(terms.length);

  const tally = ({ table, data }: FileTokens, from: number, to: number, step: 1 | 2, into: Float64Array) => {
    const { groupOf, groups } = lookup(table);
    for (let i = from; i < to; i += step) {
      const group = groupOf[data[i] as number] as number;
      if (group === 0) continue;
      const count = step === 2 ? (data[i + 1] as number) : 1;
      for (const term of groups[group] as readonly number[]) into[term] = (into[term] as number) + count;
    }
  };

  for (const place of pool) {
    const { tokens, pathTokens } = files[place] as IndexedFile;
    tally(tokens, 0, tokens.countsEnd, 2, text);
    tally(tokens, tokens.countsEnd, tokens.data.length, 1, definitions);
    tally(pathTokens, 0, pathTokens.countsEnd, 2, path);
    postings.forEach((posting, term) => {
      if (text[term] === 0 && path[term] === 0) return;
      posting.files.push(place);
      posting.text.push(text[term] as number);
      posting.path.push(path[term] as number);
      posting.definitions.push(definitions[term] as number);
    });
    for (const tallies of [text, path, definitions]) tallies.fill(0);
  }
  return postings;
}

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

/** Which of the asked terms an identifier stands for: `groups[groupOf[identifier]]`, by place; group 0 is empty. */
export interface TermLookup {
  readonly groupOf: Int32Array;
  readonly groups: readonly (readonly number[])[];
}

/** Gives, for each table of identifiers, the lookup of `terms` in it; made once a table. */
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

/** The value a map has for `key`, made and kept when it has none. */
export function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
