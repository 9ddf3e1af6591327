import { z } from "zod";
import { numberedRanges } from "../edits/numbered.ts";
import { readText, splitLines, stripTerminator } from "../edits/text-file.ts";
import { divideRoom, type Tool } from "../llm/toolset.ts";
import { createPacer, defineTool, type ToolContext } from "./context.ts";
import { compilePattern, type LinePattern } from "./line-pattern.ts";
import { fullestFirst, shorten, showMatches } from "./matches.ts";
import { selectPaths } from "./paths.ts";

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
      const first = await searchFiles(context, selected.paths, compiled);
      const notes = compiled.note ? [compiled.note] : [];
      if (first.files.length > 0 || compiled.note || !/[()[\]{}*+?.^$|\\]/.test(pattern)) {
        return told(context, first, { all: selected.paths.length, notes, around });
      }
      // `foo(bar)` is more often meant as it stands than as a group.
      const plain = compilePattern(pattern, ignoreCase, true) as LinePattern;
      const second = await searchFiles(context, selected.paths, plain);
      if (second.files.length === 0) return told(context, first, { all: selected.paths.length, notes, around });
      const note = "No line matches as a regular expression; as plain text these do.";
      return told(context, second, { all: selected.paths.length, notes: [note], around });
    },
  });
}

async function told(
  context: ToolContext,
  { files, looked }: SearchedFiles,
  { all, notes, around }: { readonly all: number; readonly notes: readonly string[]; readonly around: number },
): Promise<string> {
  const { limits } = context;
  const stopped = looked < all ? [`Stopped after ${looked} of ${all} files, in path order: narrow with path.`] : [];
  const count = files.reduce((sum, { lines }) => sum + lines.length, 0);
  if (count === 0) return [...notes, `No line matches in ${looked} files.`, ...stopped].join("\n");
  const head = `${count} ${count === 1 ? "line" : "lines"} in ${files.length} of ${looked} files:`;
  if (around > 0) return [...notes, head, await showAround(context, files, around), ...stopped].join("\n");
  const shown = files.map(({ path, lines }) => ({
    path,
    lines: lines.map(({ line, text }) => `${path}:${line}: ${shorten(text, limits.lineCharacters)}`),
  }));
  return [...notes, head, showMatches(shown, limits), ...stopped].join("\n");
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
