import lunr from "lunr";

type Counts = ReadonlyMap<string, number>;

/**
 * lunr as it comes: its tokenizer, its pipeline (trimmer, stop words, stemmer), k1 1.2, b 0.75, one field with the
 * text, the issue text given to `search` without the characters that are operators there (with them it throws).
 * Indexing every parent commit anew would take hours, so that words are counted once a blob and lunr's own formulas
 * are applied to them; `create-lunr-default.test` in test/ holds it against lunr itself.
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
    rank(files: readonly { path: string; blob: string }[], query: string): string[] {
      const boosts = queryTerms(query);
      const documents = files.flatMap(({ path, blob }) => {
        const found = counted.get(blob);
        return found === undefined ? [] : [{ path, ...found }];
      });
      const mean = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
      const scores = new Map<string, number>();
      for (const [term, boost] of boosts) {
        const holders = documents.filter(({ counts }) => counts.has(term));
        const idf = Math.log(1 + Math.abs((documents.length - holders.length + 0.5) / (holders.length + 0.5)));
        for (const { path, length, counts } of holders) {
          const tf = counts.get(term) ?? 0;
          const score = (idf * 2.2 * tf) / (1.2 * (0.25 + 0.75 * (length / mean)) + tf);
          scores.set(path, (scores.get(path) ?? 0) + boost * (Math.round(score * 1000) / 1000));
        }
      }
      return [...scores].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([path]) => path);
    },
  };
}

/** What `search` makes of a text: split at blanks and hyphens, stemmed, punctuation kept, each repetition a boost. */
function queryTerms(query: string): Map<string, number> {
  const terms = new Map<string, number>();
  for (const word of query
    .replace(/[:~^*+-]/g, " ")
    .toLowerCase()
    .split(/\s+/)) {
    if (word === "") continue;
    const term = lunr.stemmer(new lunr.Token(word, {})).toString();
    terms.set(term, (terms.get(term) ?? 0) + 1);
  }
  return terms;
}
