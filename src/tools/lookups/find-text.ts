import { splitLines, stripTerminator } from "../../edits/text-file.ts";
import { besideOf, TELLING } from "./left-out.ts";
import { compilePattern, type LinePattern } from "./line-pattern.ts";
import { createPacer } from "./pacer.ts";
import { type Refusal, type SelectedPaths, selectPaths } from "./paths.ts";
import type { LookupContext } from "./snapshot-files.ts";

/** A regular expression (RE2); `path`: a file, folder or glob to look in, everywhere without it. */
export interface TextQuestion {
  readonly pattern: string;
  readonly path?: string | undefined;
  readonly ignoreCase?: boolean | undefined;
}

/** The lines that match. */
export interface FoundText {
  readonly meant: SelectedPaths;
  /** in path order */
  readonly files: readonly FileLines[];
  /** in a search of all files: left-out snapshots and declarations that match, too */
  readonly beside: readonly FileLines[];
  /** how many of the paths were searched within the limit of work */
  readonly looked: number;
  /** the pattern matches nothing as a regular expression, so it was taken as plain text */
  readonly asText: boolean;
  /** why it is no regular expression, so it was taken as plain text */
  readonly fault?: string | undefined;
}

export interface FileLines {
  readonly path: string;
  readonly lines: readonly FoundLine[];
}

/** Finds the lines that match. `foo(bar)` rarely means a group: without a match it is taken as plain text. */
export async function findText(
  context: LookupContext,
  { pattern, path, ignoreCase = false }: TextQuestion,
): Promise<FoundText | Refusal> {
  const meant = selectPaths(context.files, path);
  if ("reason" in meant) return meant;
  const compiled = compilePattern(pattern, ignoreCase);
  if ("reason" in compiled) return compiled;
  const search = async (by: LinePattern, asText: boolean): Promise<FoundText> => {
    const { files, looked } = await searchFiles(context, meant.paths, by);
    const others = path === undefined ? besideOf(context.files, TELLING) : [];
    const beside = (await searchFiles(context, others, by)).files;
    return { meant, files, beside, looked, asText, fault: by.fault };
  };
  const found = await search(compiled, false);
  if (isFound(found) || compiled.fault !== undefined || !SPECIAL.test(pattern)) return found;
  const asText = await search(compilePattern(pattern, ignoreCase, true) as LinePattern, true);
  return isFound(asText) ? asText : found;
}

const isFound = ({ files, beside }: FoundText) => files.length + beside.length > 0;

const SPECIAL = /[()[\]{}*+?.^$|\\]/;

/** A line that was found. */
export interface FoundLine {
  /** 1-based */
  readonly line: number;
  readonly text: string;
}

/** Longer lines are tested up to here. */
const MAX_LINE_LENGTH = 20_000;

/** Searches files in order. Only lines with a required literal are tested. */
async function searchFiles(
  { files, limits }: LookupContext,
  paths: readonly string[],
  pattern: LinePattern,
): Promise<Pick<FoundText, "files" | "looked">> {
  const pause = createPacer();
  const found: FileLines[] = [];
  let work = 0;
  for (const [index, path] of paths.entries()) {
    if (work > limits.searchedBytes) return { files: found, looked: index };
    const bytes = await files.searchable(path);
    if (bytes === undefined) continue;
    const lines: FoundLine[] = [];
    let before = 0;
    for (const piece of mayMatch(bytes, pattern) ? piecesOf(bytes) : []) {
      const tested = linesIn(piece.toString("utf8"), pattern, before);
      lines.push(...tested.lines);
      before += tested.count;
      work += tested.work;
      await pause(piece.length + tested.work);
    }
    if (lines.length > 0) found.push({ path, lines });
    work += bytes.length;
    await pause(bytes.length);
  }
  return { files: found, looked: paths.length };
}

/** Bytes of a piece of a large file. */
const PIECE = 1_000_000;

const NEWLINE = 10;

/** Splits a file into pieces of whole lines. The last piece has a newline if any has. */
function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start + PIECE);
    const end = newline < 0 || !bytes.includes(NEWLINE, newline + 1) ? bytes.length : newline + 1;
    yield bytes.subarray(start, end);
    start = end;
  }
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
  before: number,
): { lines: FoundLine[]; work: number; count: number } {
  const required = ignoreCase ? undefined : literals;
  const lines: FoundLine[] = [];
  let tested = 0;
  const all = splitLines(text.replace(/^\uFEFF/, ""));
  for (const [index, whole] of all.entries()) {
    if (required && !required.some((literal) => whole.includes(literal))) continue;
    const line = stripTerminator(whole);
    const shown = line.length > MAX_LINE_LENGTH ? line.slice(0, MAX_LINE_LENGTH) : line;
    tested += shown.length;
    if (test(shown)) lines.push({ line: before + index + 1, text: line });
  }
  return { lines, work: Math.floor(tested * weight), count: all.length };
}
