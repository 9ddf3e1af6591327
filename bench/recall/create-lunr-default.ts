import lunr from "lunr";
import { lunrQueryTerms, rankByLunr } from "../../eval/evaluation/measures/baselines.ts";

type Counts = ReadonlyMap<string, number>;

/**
 * lunr as it comes: its tokenizer, its pipeline (trimmer, stop words, stemmer), k1 1.2, b 0.75, one field with the
 * text, the issue text given to `search` without the characters that are operators there (with them it throws).
 * Indexing every parent commit anew would take hours, so that words are counted once a blob and lunr's own formulas
 * are applied to them; `lunr-default.test` in test/ holds it against lunr itself.
 */
export function createLunrDefault() {
  const pipeline = new lunr.Pipeline();
  pipeline.add(lunr.trimmer, lunr.stopWordFilter, lunr.stemmer);
  const counted = new Map<string, { length: number; counts: Counts }>();

  return {
    has: (blob: string) => counted.has(blob),
    add(blob: string, text: string): void {
      const counts = new Map<string, number>();
      const tokens = pipeline.run(lunr.tokenizer(text)).map(String);
      for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
      counted.set(blob, { length: tokens.length, counts });
    },
    /** Paths, best first, of the files that have any word of the query. */
    rank(files: readonly { path: string; blob: string }[], query: string): readonly string[] {
      const documents = files.flatMap(({ path, blob }) => {
        const found = counted.get(blob);
        return found === undefined ? [] : [{ path, ...found }];
      });
      return rankByLunr(documents, lunrQueryTerms(query));
    },
  };
}
