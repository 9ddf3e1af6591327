import { createFileIndexer } from "./create-file-indexer.ts";
import type { IssueText } from "./ranking-types.ts";
import { STOP_WORDS } from "./stop-words.ts";

const TITLE_WEIGHT = 2;
const HINT_WEIGHT = 1;
const MAX_TEXT_LENGTH = 200_000;

/**
 * The search terms of an issue with their weights: the same tokens as in files, without stop words; the title counts
 * twice, and how often a term is repeated counts by its logarithm, so that a pasted log cannot drown the question.
 */
export function issueTerms(issue: IssueText): Map<string, number> {
  const index = createFileIndexer();
  const counts = new Map<string, number>();
  const count = (text: string, weight: number) => {
    const { table, data, countsEnd } = index(new TextEncoder().encode(text.slice(0, MAX_TEXT_LENGTH)));
    for (let i = 0; i < countsEnd; i += 2) {
      const id = data[i] as number;
      if (STOP_WORDS.has(table.identifiers.name(id).toLowerCase())) continue;
      for (const term of table.terms(id)) counts.set(term, (counts.get(term) ?? 0) + weight * (data[i + 1] as number));
    }
  };
  count(issue.title, TITLE_WEIGHT);
  count(issue.body, 1);
  for (const hint of issue.hints ?? []) count(hint, HINT_WEIGHT);
  return new Map([...counts].map(([term, tally]) => [term, 1 + Math.log(tally)]));
}
