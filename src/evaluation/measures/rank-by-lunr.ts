/** A file of a corpus, its words counted as lunr counts them. */
export interface LunrDocument {
  readonly path: string;
  /** words */
  readonly length: number;
  /** how often terms stand in it: at least those of the query */
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * Paths, best first, of the documents that have any word of the query (`boosts` by term), by lunr's own formulas with k1
 * 1.2 and b 0.75; equal scores by path.
 */
export function rankByLunr(files: readonly LunrDocument[], boosts: ReadonlyMap<string, number>): readonly string[] {
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
