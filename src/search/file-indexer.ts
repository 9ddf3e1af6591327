import { FileScanner } from "./file-scanner.ts";
import { IdentifierTable } from "./identifier-table.ts";
import type { FileTokens, IssueText } from "./ranking-types.ts";
import { KEYWORDS, STOP_WORDS } from "./terms.ts";

/**
 * Gives `indexFile(bytes, size)`: what a file's text, its first `size` bytes, is worth to ranking. All files of a factory share one table of
 * identifiers, so that counts of different files can be compared by number.
 */
export function createFileIndexer(): (bytes: Uint8Array, size?: number) => FileTokens {
  const table = new IdentifierTable(KEYWORDS.names);
  const scanner = new FileScanner(table);
  return (bytes, size) => {
    const length = scanner.scan(bytes, size);
    table.expand();
    const { found, foundEnd, counts, declared, declaredEnd } = scanner;
    const countsEnd = foundEnd * 2;
    const data = new Int32Array(countsEnd + declaredEnd);
    for (let i = 0; i < foundEnd; i++) {
      const id = found[i] as number;
      data[2 * i] = id;
      data[2 * i + 1] = counts[id] as number;
      counts[id] = 0;
    }
    for (let i = 0; i < declaredEnd; i++) data[countsEnd + i] = declared[i] as number;
    return { table, data, countsEnd, length };
  };
}

const TITLE_WEIGHT = 2;

const HINT_WEIGHT = 1;

const MAX_TEXT_LENGTH = 200_000;

/** Of each text of an issue: one with more of them holds a log, and finding their stems would take its time. */
const MAX_IDENTIFIERS = 800;

/**
 * The search terms of an issue with their weights: the same tokens as in files, without stop words; the title counts
 * twice, and how often a term is repeated counts by its logarithm, so that a pasted log cannot drown the question.
 */
export function issueTerms(issue: IssueText): Map<string, number> {
  const index = createFileIndexer();
  const counts = new Map<string, number>();
  const count = (text: string, weight: number) => {
    const { table, data, countsEnd } = index(new TextEncoder().encode(text.slice(0, MAX_TEXT_LENGTH)));
    const end = Math.min(countsEnd, 2 * MAX_IDENTIFIERS);
    for (let i = 0; i < end; i += 2) {
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
