import { diffLines, unifiedDiff } from "../../../code/edits/diff.ts";
import { linesIn, numberedDiff } from "../../../code/edits/numbered.ts";
import { stripTerminator } from "../../../code/edits/text-file.ts";
import type { SourceParser, SourceSymbol } from "../../../code/source-parser.ts";
import { groupOf } from "../../../search/classify-file.ts";
import { functionAround, parseFile } from "./parsed-file.ts";

export const isSource = (path: string) => groupOf(path) === "source";

/** Lines shown around each change, at least: more of sources than of tests, fewest of a changelog. */
const LEAST_CONTEXT: Partial<Record<string, number>> = { source: 6, documentation: 1 };

const leastContextOf = (path: string) => LEAST_CONTEXT[groupOf(path) ?? ""] ?? 3;

/** A function with one or two changed places is shown whole up to this many lines. */
const MAX_WHOLE_LENGTH = 100;

const MAX_WHOLE_PLACES = 2;

/** Chooses the lines of the new file to show: around the changes, and short functions with one or two of them whole. */
function shownAround(
  path: string,
  { before, after, symbols }: Versions & { symbols: readonly SourceSymbol[] },
): { lines: ReadonlySet<number>; context: number } {
  const least = leastContextOf(path);
  const places = diffLines(unifiedDiff(path, before, after, { context: 1 }));
  const isWhole = isSource(path) && places.length <= MAX_WHOLE_PLACES;
  const spans = places.flatMap(({ added, nextToRemoved }) => {
    const lines = [...added, ...nextToRemoved];
    const [first, last] = [Math.min(...lines), Math.max(...lines)];
    const around = functionAround(symbols, { start: first, end: last });
    const isShort = isWhole && around !== undefined && around.end - around.start < MAX_WHOLE_LENGTH;
    const near = { start: first - least, end: last + least, context: least };
    if (!isShort) return [near];
    const context = Math.max(first - around.start, around.end - last);
    return [near, { start: around.start, end: around.end, context }];
  });
  return { lines: new Set(spans.flatMap(linesIn)), context: Math.max(least, ...spans.map(({ context }) => context)) };
}

interface Versions {
  before: Uint8Array | undefined;
  after: Uint8Array | undefined;
}

/** The unified diff for QA, the lines of it that are shown, and the new file. */
export async function diffForReview(change: Versions & { path: string }, parser: SourceParser) {
  const { path, before, after } = change;
  const { lines, symbols: all } = await parseFile(path, after, parser);
  const symbols = isSource(path) ? all : [];
  const around = shownAround(path, { before, after, symbols });
  const diff = unifiedDiff(path, before, after, { context: around.context });
  const shown = diffLines(diff).flatMap((hunk) => [...hunk.shown.filter((at) => around.lines.has(at)), ...hunk.added]);
  return { lines, symbols, diff, shown: new Set(shown) };
}

/** Shows QA what changed in a file: `numberedDiff`, with the first lines of the functions around. */
export async function viewDiff(
  { path, before, after }: Versions & { path: string },
  parser: SourceParser,
): Promise<string> {
  const { diff, lines, symbols, shown } = await diffForReview({ path, before, after }, parser);
  const headOf = (at: number) => {
    const line = functionAround(symbols, { start: at, end: at })?.start ?? 0;
    const text = lines[line - 1];
    return text === undefined ? undefined : { line, text: stripTerminator(text) };
  };
  return numberedDiff(diff, headOf, (line) => shown.has(line));
}
