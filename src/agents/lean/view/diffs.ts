import { diffLines, unifiedDiff } from "../../../code/edits/diff.ts";
import { numberedDiff } from "../../../code/edits/numbered.ts";
import { stripTerminator } from "../../../code/edits/text-file.ts";
import type { SourceParser } from "../../../code/source-parser.ts";
import type { PlanningView } from "../../../data/plan.ts";
import { groupOf } from "../../../search/classify-file.ts";
import { functionAround, parseFile } from "./parsed-file.ts";

export const isSource = (path: string) => groupOf(path) === "source";

/** Lines shown around each change; more of a source whose old version QA was not shown, fewest of a changelog. */
const CONTEXT = 3;

const OF_SOURCE = 10;

const OF_DOCUMENT = 1;

interface Versions {
  path: string;
  before: Uint8Array | undefined;
  after: Uint8Array | undefined;
  /** what QA was shown of the repository before the change */
  view: PlanningView | undefined;
}

function contextOf({ path, view }: Versions): number {
  if (groupOf(path) === "documentation") return OF_DOCUMENT;
  return isSource(path) && !view?.files.some((file) => file.path === path) ? OF_SOURCE : CONTEXT;
}

/** The unified diff for QA, the lines of it that are shown, and the new file. */
export async function diffForReview(change: Versions, parser: SourceParser) {
  const { path, before, after } = change;
  const { lines, symbols } = await parseFile(path, after, parser);
  const diff = unifiedDiff(path, before, after, { context: contextOf(change) });
  return { lines, symbols, diff, shown: new Set(diffLines(diff).flatMap((hunk) => hunk.shown)) };
}

/** Shows QA what changed in a file: `numberedDiff`, with the first lines of the functions around. */
export async function viewDiff(change: Versions, parser: SourceParser): Promise<string> {
  const { diff, lines, symbols } = await diffForReview(change, parser);
  return numberedDiff(diff, (at) => {
    const line = isSource(change.path) ? (functionAround(symbols, { start: at, end: at })?.start ?? 0) : 0;
    const text = lines[line - 1];
    return text === undefined ? undefined : { line, text: stripTerminator(text) };
  });
}
