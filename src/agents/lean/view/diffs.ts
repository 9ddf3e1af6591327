import { diffLines, readPatch, unifiedDiff } from "../../../code/edits/diff.ts";
import { numberedDiff, numberLine } from "../../../code/edits/numbered.ts";
import { stripTerminator } from "../../../code/edits/text-file.ts";
import type { SourceParser } from "../../../code/source-parser.ts";
import type { PlanningView } from "../../../data/plan.ts";
import { groupOf } from "../../../search/classify-file.ts";
import { functionAround, parseFile } from "./parsed-file.ts";

export const isSource = (path: string) => groupOf(path) === "source";

/** Lines shown around each change; more of a source where QA was not shown them before, fewest of a changelog. */
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

/** The unified diff for QA, the lines of it that are shown, and the new file. */
export async function diffForReview(change: Versions, parser: SourceParser) {
  const { path, before, after, view } = change;
  const { lines, symbols } = await parseFile(path, after, parser);
  const diffWith = (context: number) => unifiedDiff(path, before, after, { context });
  const wide = isSource(path) ? diffWith(OF_SOURCE) : undefined;
  const known = view?.files.find((file) => file.path === path)?.content ?? "";
  const narrow = groupOf(path) === "documentation" ? OF_DOCUMENT : CONTEXT;
  const diff = wide === undefined || standsIn(known, wide) ? diffWith(narrow) : wide;
  return { lines, symbols, diff, shown: new Set(diffLines(diff).flatMap((hunk) => hunk.shown)) };
}

/** Whether what surrounds the changes of a diff, but for blank lines, stands in numbered lines of the old file. */
function standsIn(shown: string, diff: string): boolean {
  const rows = new Set(shown.split("\n"));
  return readPatch(diff)
    .flatMap(({ hunks }) => hunks)
    .every(({ lines, oldStart }) =>
      lines
        .filter((line) => line.startsWith(" ") || line.startsWith("-"))
        .every((line, at) => {
          const text = stripTerminator(line.slice(1));
          return line.startsWith("-") || text.trim() === "" || rows.has(numberLine(oldStart + at, text));
        }),
    );
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
