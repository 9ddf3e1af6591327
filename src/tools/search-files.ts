import { splitLines } from "../edits/split-lines.ts";
import { stripTerminator } from "../edits/strip-terminator.ts";
import type { LinePattern } from "./compile-pattern.ts";
import { createPacer } from "./create-pacer.ts";
import type { ToolContext } from "./tool-context.ts";

/** A line that was found. */
export interface FoundLine {
  /** 1-based */
  readonly line: number;
  readonly text: string;
}

export interface SearchedFiles {
  readonly files: readonly { readonly path: string; readonly lines: readonly FoundLine[] }[];
  /** how many of the paths were looked at before the work limit */
  readonly looked: number;
}

/** Longer lines are tested up to here. */
const MAX_LINE_LENGTH = 20_000;

/** Looks through files, in the order given, for lines that match; a line without a required literal is not tested. */
export async function searchFiles(
  { files, limits }: ToolContext,
  paths: readonly string[],
  pattern: LinePattern,
): Promise<SearchedFiles> {
  const pause = createPacer();
  const found: { path: string; lines: FoundLine[] }[] = [];
  let work = 0;
  for (const [index, path] of paths.entries()) {
    if (work > limits.searchedBytes) return { files: found, looked: index };
    const bytes = await files.searchable(path);
    if (bytes === undefined) continue;
    const tested = mayMatch(bytes, pattern) ? linesIn(bytes.toString("utf8"), pattern) : { lines: [], work: 0 };
    if (tested.lines.length > 0) found.push({ path, lines: tested.lines });
    work += bytes.length + tested.work;
    await pause(bytes.length + tested.work);
  }
  return { files: found, looked: paths.length };
}

function mayMatch(bytes: Buffer, { literals, ignoreCase }: LinePattern): boolean {
  if (literals === undefined) return true;
  if (!ignoreCase) return literals.some((literal) => bytes.includes(literal));
  const text = bytes.toString("utf8").toLowerCase();
  return literals.some((literal) => text.includes(literal.toLowerCase()));
}

function linesIn(
  text: string,
  { literals, ignoreCase, test, weight }: LinePattern,
): { lines: FoundLine[]; work: number } {
  const required = ignoreCase ? undefined : literals;
  const lines: FoundLine[] = [];
  let tested = 0;
  for (const [index, whole] of splitLines(text.replace(/^\uFEFF/, "")).entries()) {
    if (required && !required.some((literal) => whole.includes(literal))) continue;
    const line = stripTerminator(whole);
    const shown = line.length > MAX_LINE_LENGTH ? line.slice(0, MAX_LINE_LENGTH) : line;
    tested += shown.length;
    if (test(shown)) lines.push({ line: index + 1, text: line });
  }
  return { lines, work: Math.floor(tested * weight) };
}
