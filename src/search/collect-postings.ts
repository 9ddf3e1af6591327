import { createTermLookup } from "./create-term-lookup.ts";
import type { FileTokens } from "./file-tokens.ts";
import type { IndexedFile } from "./ranking-types.ts";

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
