import { expect, it } from "@jest/globals";
import { scoreText } from "../../src/search/rank-files.ts";
import { fc } from "../seeded.ts";
import { indexFiles } from "./index-files.ts";

const WEIGHTS = { k1: 1.4, b: 0.6, path: 0, mostTerms: 100 };

const WORDS = ["bale", "cog", "dune", "elm", "fig"];

/** Okapi BM25 straight from its formula. */
function bm25(texts: readonly (readonly string[])[], terms: ReadonlyMap<string, number>): number[] {
  const mean = texts.reduce((sum, words) => sum + words.length, 0) / texts.length || 1;
  return texts.map((words) =>
    [...terms].reduce((sum, [term, weight]) => {
      const holders = texts.filter((other) => other.includes(term)).length;
      const idf = Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5));
      const count = words.filter((word) => word === term).length;
      const norm = WEIGHTS.k1 * (1 - WEIGHTS.b + (WEIGHTS.b * words.length) / mean);
      return sum + (weight * idf * (WEIGHTS.k1 + 1) * count) / (norm + count);
    }, 0),
  );
}

it("scores text by BM25", async () => {
  const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 });
  const weights = fc.dictionary(fc.constantFrom(...WORDS), fc.integer({ min: 1, max: 4 }));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 6 }), weights, async (texts, query) => {
      const terms = new Map(Object.entries(query));
      const named = texts.map((words, at) => [`${at}${at}.ts`, words.join(" ")] as const);
      const { files } = await indexFiles(Object.fromEntries(named));
      const expected = bm25(texts, terms);
      const scores = texts.map(() => 0);
      for (const { file, score } of scoreText(files, terms, WEIGHTS)) scores[file] = score;
      expect(files.map(({ path }) => path)).toEqual(named.map(([path]) => path));
      scores.forEach((score, file) => {
        expect(score).toBeCloseTo(expected[file] as number, 9);
      });
    }),
    { numRuns: 30 },
  );
});
