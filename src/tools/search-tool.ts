import { z } from "zod";
import { numberedRanges } from "../edits/numbered.ts";
import { readText, splitLines, stripTerminator } from "../edits/text-file.ts";
import { divideRoom, type Tool } from "../llm/toolset.ts";
import { defineTool, type ToolContext } from "./context.ts";
import { besideOf, TELLING } from "./lookups/left-out.ts";
import { compilePattern, type LinePattern } from "./lookups/line-pattern.ts";
import { createPacer } from "./lookups/pacer.ts";
import { type SelectedPaths, selectPaths } from "./lookups/paths.ts";
import { fullestFirst, shorten, showMatches } from "./matches.ts";

const MAX_AROUND = 20;

const shape = z.object({
  pattern: z.string(),
  path: z.string().optional().describe("only in this file, folder or glob"),
  ignoreCase: z.boolean().optional(),
  around: z
    .int()
    .optional()
    .transform((lines = 0) => Math.min(MAX_AROUND, Math.max(0, lines)))
    .describe(`lines to show around each match, at most ${MAX_AROUND}`),
});

/** `search`: lines that match a regular expression. */
export function createSearchTool(context: ToolContext): Tool {
  return defineTool({
    name: "search",
    description: "Lines that match a regular expression (RE2), each for itself.",
    shape,
    run: async ({ pattern, path, ignoreCase = false, around }) => {
      const selected = selectPaths(context.files, path);
      if ("reason" in selected) return selected.reason;
      const compiled = compilePattern(pattern, ignoreCase);
      if ("reason" in compiled) return compiled.reason;
      const search = (by: LinePattern, notes: readonly string[]) =>
        searchSelected(context, selected, by, { isAll: path === undefined, notes, around });
      const first = await search(compiled, compiled.note ? [compiled.note] : []);
      if (first.found || compiled.note || !/[()[\]{}*+?.^$|\\]/.test(pattern)) return first.text;
      // `foo(bar)` is more often meant as it stands than as a group.
      const plain = compilePattern(pattern, ignoreCase, true) as LinePattern;
      const note = "No line matches as a regular expression; as plain text these do.";
      const second = await search(plain, [note]);
      return second.found ? second.text : first.text;
    },
  });
}

interface Telling {
  readonly notes: readonly string[];
  readonly around: number;
}

/** Looks through what is meant; in a search of all files, snapshots and declarations that are left out are named with it. */
async function searchSelected(
  context: ToolContext,
  { paths, note, beside }: Extract<SelectedPaths, { readonly paths: unknown }>,
  pattern: LinePattern,
  { isAll, ...telling }: Telling & { readonly isAll: boolean },
): Promise<{ readonly found: boolean; readonly text: string }> {
  const first = await searchFiles(context, paths, pattern);
  const also = isAll ? await searchFiles(context, besideOf(context.files, TELLING), pattern) : NOTHING;
  const named = namesOf(also.files);
  const found = first.files.length > 0;
  const notes = [
    ...(first.looked < paths.length
      ? [`Stopped after ${first.looked} of ${paths.length} files, in path order: narrow with path.`]
      : []),
    ...(named ? [`Also in files that are left out, by count; name one as path to see its lines: ${named}.`] : []),
    ...(note ? [note] : []),
    ...(beside && !found ? [beside] : []),
  ];
  return { found: found || named !== "", text: [await told(context, first, telling), ...notes].join("\n") };
}

const NOTHING: SearchedFiles = { files: [], looked: 0 };

const namesOf = (found: SearchedFiles["files"]) => {
  const named = found.slice(0, MAX_NAMED).map(({ path, lines }) => `${path} (${lines.length})`);
  return `${named.join(", ")}${found.length > MAX_NAMED ? " and more" : ""}`;
};

async function told(
  context: ToolContext,
  { files, looked }: SearchedFiles,
  { notes, around }: Telling,
): Promise<string> {
  const { limits } = context;
  const count = files.reduce((sum, { lines }) => sum + lines.length, 0);
  if (count === 0) return [...notes, `No line matches in ${looked} files.`].join("\n");
  const head = `${count} ${count === 1 ? "line" : "lines"} in ${files.length} of ${looked} files:`;
  if (around > 0) return [...notes, head, await showAround(context, files, around)].join("\n");
  const shown = files.map(({ path, lines }) => ({
    path,
    lines: lines.map(({ line, text }) => `${path}:${line}: ${shorten(text, limits.lineCharacters)}`),
  }));
  return [...notes, head, showMatches(shown, limits)].join("\n");
}

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
async function searchFiles(
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

/** A large file is looked through piece by piece. */
const PIECE = 1_000_000;

const NEWLINE = 10;

/** Whole lines, about so many bytes of them at a time; the last piece has a newline if any has. */
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

/** Less of a file tells nothing. */
const LEAST = 500;

/** Left-out files that are named. */
const MAX_NAMED = 8;

/**
 * Matches with `around` lines before and after each, numbered, file by file, within the limit of `read`: small files
 * whole, the others the same of the rest; the file with most matches is always among them.
 */
async function showAround(
  { files, limits }: ToolContext,
  found: SearchedFiles["files"],
  around: number,
): Promise<string> {
  const fitting = Math.max(1, Math.floor(limits.readCharacters / LEAST));
  const chosen = new Set(fullestFirst(found.map(({ lines }) => lines.length)).slice(0, fitting));
  const shown = found.filter((_, at) => chosen.has(at));
  const most = shown.length > 1 ? limits.matchesPerFile : limits.matches;
  const texts = await Promise.all(
    shown.map(async ({ path, lines: matches }) => {
      const bytes = await files.bytes(path);
      const lines = (bytes && readText(bytes)?.lines) ?? [];
      const ranges = matches.slice(0, most).map(({ line }) => ({ from: line - around, to: line + around }));
      return (count: number) => ({
        count: Math.min(count, ranges.length),
        text: `${path}\n${numberedRanges(lines, ranges.slice(0, count))}`,
      });
    }),
  );
  const shares = divideRoom(
    texts.map((textOf) => textOf(most).text.length),
    limits.readCharacters,
    LEAST,
  );
  const parts = shown.map(({ lines }, at) => {
    const textOf = texts[at] as (typeof texts)[number];
    let { text, count } = textOf(most);
    while (count > 1 && text.length > (shares[at] as number)) ({ text, count } = textOf(count - 1));
    const more = lines.length - count;
    return more > 0 ? `${text}\n… ${more} more of its matches not shown` : text;
  });
  const left = found.filter((_, at) => !chosen.has(at)).map(({ path, lines }) => `${path} (${lines.length})`);
  const named = `${left.slice(0, MAX_NAMED).join(", ")}${left.length > MAX_NAMED ? " and more" : ""}`;
  return [...parts, ...(left.length > 0 ? [`… not shown for want of room: ${named}.`] : [])].join("\n\n");
}
