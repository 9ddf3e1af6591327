import { assembleIndex } from "./assemble-index.ts";
import { chooseTerms, type SearchTerm } from "./choose-terms.ts";
import { collectPostings } from "./collect-postings.ts";
import { findPool } from "./find-pool.ts";
import type { Evidence, IndexedFile } from "./ranking-types.ts";
import type { TextWeights } from "./ranking-weights.ts";

/**
 * BM25 of the files against the terms, by lunr: an index of these terms alone is assembled over our own counts and
 * asked with the query builder. Gives the files that have any of the terms, at most about `weights.mostFiles`; scores
 * are comparable within one call only.
 */
export function scoreText(
  files: readonly IndexedFile[],
  terms: ReadonlyMap<string, number>,
  weights: TextWeights,
): Evidence[] {
  const search = chooseTerms(files, terms, weights.mostTerms);
  if (search.length === 0) return [];
  const names = search.map(({ term }) => term);
  const sources = files.reduce((count, { group }) => (group === "source" ? count + 1 : count), 0);
  const mostHolders = (weights.mostFiles * files.length) / Math.max(1, sources);
  const pool = findPool(files, poolTerms(search, weights.mostFiles), poolTerms(search, mostHolders));
  const index = assembleIndex(files, search, collectPostings(files, pool, names), weights);
  const results = index.query((query) => {
    for (const { term, weight } of search) query.term(term, { boost: weight, usePipeline: false });
  });
  return results.map(({ ref, score, matchData }) => ({
    file: Number(ref),
    score,
    reason: () => {
      const found = names.filter((name) => name in matchData.metadata);
      return `BM25 ${score.toFixed(1)}, terms: ${found.slice(0, 5).join(", ")}`;
    },
  }));
}

/**
 * The terms that decide which files are scored at all: the most telling ones, as long as `most` files hold them. In a
 * repository of tens of thousands of files, what has only the common words cannot come out on top.
 */
function poolTerms(search: readonly SearchTerm[], most: number): string[] {
  let files = 0;
  return search
    .filter(({ holders }) => {
      const fits = files === 0 || files + holders <= most;
      if (fits) files += holders;
      return fits;
    })
    .map(({ term }) => term);
}
