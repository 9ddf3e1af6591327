import lunr from "lunr";
import type { SearchTerm } from "./choose-terms.ts";
import type { Posting } from "./collect-postings.ts";
import { getOrMake } from "./get-or-make.ts";
import type { IndexedFile } from "./ranking-types.ts";
import type { TextWeights } from "./ranking-weights.ts";

const FIELDS = ["text", "path", "definitions"] as const;
type Field = (typeof FIELDS)[number];

/**
 * A `lunr.Index` of the search terms alone, over counts that are there already, with our constants. Documents are
 * named by their place in `files`. `postings` belong to `search` one by one. lunr's query does the rest: it adds up
 * the fields and the terms.
 */
export function assembleIndex(
  files: readonly IndexedFile[],
  search: readonly SearchTerm[],
  postings: readonly Posting[],
  weights: TextWeights,
): lunr.Index {
  const { k1, b } = weights;
  const mean = files.reduce((sum, { tokens }) => sum + tokens.length, 0) / files.length || 1;
  const vectors: Record<Field, Map<number, number[]>> = { text: new Map(), path: new Map(), definitions: new Map() };
  const invertedIndex: Record<string, object> = Object.create(null);
  const nothing = {};
  search.forEach(({ term, idf }, number) => {
    const entry = { _index: number, text: {}, path: {}, definitions: {} } as Record<Field, Record<number, object>>;
    const posting = postings[number] as Posting;
    const put = (field: Field, file: number, score: number) => {
      if (score === 0) return;
      entry[field][file] = nothing;
      getOrMake(vectors[field], file, () => []).push(number, idf * score);
    };
    posting.files.forEach((file, i) => {
      const length = (files[file] as IndexedFile).tokens.length / mean;
      put("text", file, saturate(posting.text[i] as number, k1 * (1 - b + b * length), k1));
      put("path", file, weights.path * saturate(posting.path[i] as number, k1, k1));
      put("definitions", file, weights.definitions * saturate(posting.definitions[i] as number, k1, k1));
    });
    invertedIndex[term] = entry;
  });
  const fieldVectors: Record<string, lunr.Vector> = Object.create(null);
  for (const field of FIELDS)
    for (const [file, elements] of vectors[field]) fieldVectors[`${field}/${file}`] = new lunr.Vector(elements);
  return createIndex(invertedIndex, fieldVectors);
}

/** The types of lunr know neither `fieldVectors` nor that `TokenSet.fromArray` is static. */
function createIndex(invertedIndex: Record<string, object>, fieldVectors: Record<string, lunr.Vector>): lunr.Index {
  const { fromArray } = lunr.TokenSet as unknown as { fromArray(words: string[]): lunr.TokenSet };
  const tokenSet = fromArray(Object.keys(invertedIndex).sort());
  const attributes = { invertedIndex, fieldVectors, tokenSet, fields: [...FIELDS], pipeline: new lunr.Pipeline() };
  return new lunr.Index(attributes as unknown as lunr.Index.Attributes);
}

/** BM25's share of a term's frequency, between 0 and k1 + 1. */
function saturate(count: number, norm: number, k1: number): number {
  return ((k1 + 1) * count) / (norm + count);
}
