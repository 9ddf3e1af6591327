import lunr from "lunr";

/** A file of the corpus. */
interface Counted {
  readonly path: string;
  readonly length: number;
  /** how often the query's terms stand in it */
  readonly counts: ReadonlyMap<string, number>;
}

const SEPARATOR = /[\s-]+/;
const MOST_WORDS = 500_000;

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
    const boosts = queryTerms(query);
    const files: Counted[] = [];
    if (known.size > MOST_WORDS) known = new Map();
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
      ranked: () => rank(files, boosts),
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

/** What `search` makes of a text: split at blanks and hyphens, stemmed, punctuation kept, each repetition a boost. */
function queryTerms(query: string): ReadonlyMap<string, number> {
  const terms = new Map<string, number>();
  for (const word of query
    // Operators of lunr's query language: with them it throws.
    .replace(/[:~^*+-]/g, " ")
    .toLowerCase()
    .split(/\s+/)) {
    if (word === "") continue;
    const term = lunr.stemmer(new lunr.Token(word, {})).toString();
    terms.set(term, (terms.get(term) ?? 0) + 1);
  }
  return terms;
}

function rank(files: readonly Counted[], boosts: ReadonlyMap<string, number>): readonly string[] {
  const mean = files.reduce((sum, { length }) => sum + length, 0) / Math.max(1, files.length);
  const scores = new Map<string, number>();
  for (const [term, boost] of boosts) {
    const holders = files.filter(({ counts }) => counts.has(term));
    const idf = Math.log(1 + Math.abs((files.length - holders.length + 0.5) / (holders.length + 0.5)));
    for (const { path, length, counts } of holders) {
      const tf = counts.get(term) ?? 0;
      const score = (idf * 2.2 * tf) / (1.2 * (0.25 + 0.75 * (length / mean)) + tf);
      scores.set(path, (scores.get(path) ?? 0) + boost * (Math.round(score * 1000) / 1000));
    }
  }
  return [...scores].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([path]) => path);
}
