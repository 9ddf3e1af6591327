import lunr from "lunr";
import { lunrQueryTerms } from "./lunr-query-terms.ts";
import { type LunrDocument, rankByLunr } from "./rank-by-lunr.ts";

const SEPARATOR = /[\s-]+/;
const MAX_WORDS = 500_000;

/**
 * The paper's baseline (section 4.2): plain BM25 over whole files, as lunr does it when nothing is configured: its
 * tokenizer, trimmer, stop words and stemmer, k1 1.2, b 0.75. As lunr's index of a large repository takes gigabytes, only
 * the words of one query are counted, and its formulas applied to them. Gives a function that makes a ranking of `query`.
 */
export function createLunrBaseline() {
  const pipeline = new lunr.Pipeline();
  pipeline.add(lunr.trimmer, lunr.stopWordFilter, lunr.stemmer);
  let known = new Map<string, string | undefined>();

  return (query: string) => {
    const boosts = lunrQueryTerms(query);
    const files: LunrDocument[] = [];
    if (known.size > MAX_WORDS) known = new Map();
    return {
      add(path: string, text: string): void {
        const counts = new Map<string, number>();
        let length = 0;
        for (const word of text.toLowerCase().split(SEPARATOR)) {
          if (word === "") continue;
          const term = termOf(word);
          if (term === undefined) continue;
          length += 1;
          if (boosts.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
        }
        files.push({ path, length, counts });
      },
      /** Paths, best first, of the files that have any word of the query; equal scores by path. */
      ranked: () => rankByLunr(files, boosts),
    };
  };

  function termOf(word: string): string | undefined {
    if (known.has(word)) return known.get(word);
    const [token] = pipeline.run([new lunr.Token(word, {})]);
    const term = token?.toString();
    known.set(word, term);
    return term;
  }
}
