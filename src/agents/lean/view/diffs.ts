import { diffLines, unifiedDiff } from "../../../code/edits/diff.ts";
import { numberedDiff } from "../../../code/edits/numbered.ts";
import { stripTerminator } from "../../../code/edits/text-file.ts";
import type { SourceParser } from "../../../code/source-parser.ts";
import { groupOf } from "../../../search/classify-file.ts";
import { functionAround, parseFile } from "./parsed-file.ts";

export const isSource = (path: string) => groupOf(path) === "source";

/** Lines shown around each change: more of sources than of tests, fewest of a changelog. */
const CONTEXT: Partial<Record<string, number>> = { source: 10, documentation: 1 };

interface Versions {
  before: Uint8Array | undefined;
  after: Uint8Array | undefined;
}

/** The unified diff for QA, the lines of it that are shown, and the new file. */
export async function diffForReview({ path, before, after }: Versions & { path: string }, parser: SourceParser) {
  const { lines, symbols } = await parseFile(path, after, parser);
  const diff = unifiedDiff(path, before, after, { context: CONTEXT[groupOf(path) ?? ""] ?? 3 });
  return { lines, symbols, diff, shown: new Set(diffLines(diff).flatMap((hunk) => hunk.shown)) };
}

/** Shows QA what changed in a file: `numberedDiff`, with the first lines of the functions around. */
export async function viewDiff(change: Versions & { path: string }, parser: SourceParser): Promise<string> {
  const { diff, lines, symbols } = await diffForReview(change, parser);
  return numberedDiff(diff, (at) => {
    const line = isSource(change.path) ? (functionAround(symbols, { start: at, end: at })?.start ?? 0) : 0;
    const text = lines[line - 1];
    return text === undefined ? undefined : { line, text: stripTerminator(text) };
  });
}
