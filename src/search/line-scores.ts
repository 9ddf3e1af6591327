import { createStemmer } from "./create-stemmer.ts";
import { splitIdentifier } from "./split-identifier.ts";

/** What a comment says is told by the code too, mostly. */
const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!\w)|--|"""|'''|;;)/;
const COMMENT_WEIGHT = 0.3;
/** Stands before an exact word among terms; no term has it. */
const EXACT = "=";
const EXACT_WEIGHT = 6;
const NONE: ReadonlySet<string> = new Set();
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/**
 * How much each line of a file has to do with `terms` (weights by term, as `issueTerms` gives them): the sum of its
 * terms' weights, a term counting the less the more lines of the file hold it; comments count less than code. Words in
 * `exact` (identifiers that the issue writes as code) count most, as they stand. Pure.
 */
export function lineScores(
  lines: readonly string[],
  terms: ReadonlyMap<string, number>,
  exact: ReadonlySet<string> = NONE,
): number[] {
  const stem = createStemmer();
  const known = new Map<string, readonly string[]>();
  const found = lines.map((line) => {
    const here = new Set<string>();
    for (const [word] of line.matchAll(WORD)) {
      const parts = known.get(word) ?? splitIdentifier(word, stem).filter((term) => terms.has(term));
      known.set(word, parts);
      for (const term of parts) here.add(term);
      if (exact.has(word)) here.add(`${EXACT}${word}`);
    }
    return here;
  });
  const holders = new Map<string, number>();
  for (const term of found.flatMap((here) => [...here])) holders.set(term, (holders.get(term) ?? 0) + 1);
  const weightOf = (term: string) => (term.startsWith(EXACT) ? EXACT_WEIGHT : (terms.get(term) ?? 0));
  return found.map((here, at) => {
    const sum = [...here].reduce((all, term) => all + weightOf(term) / (holders.get(term) as number), 0);
    return COMMENT.test(lines[at] ?? "") ? sum * COMMENT_WEIGHT : sum;
  });
}
