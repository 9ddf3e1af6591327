import type { Span } from "../../../code/edits/numbered.ts";
import { readText } from "../../../code/edits/text-file.ts";
import type { SourceSymbol } from "../../../code/source-parser.ts";
import { beginningAbove, declarationsOf } from "../../../search/declarations.ts";
import { whyNotText } from "../../../text/found-text.ts";
import { createPacer } from "../../../text/next-turn.ts";
import { type LeftOut, leftOutNote } from "./left-out.ts";
import { splitName } from "./names.ts";
import { type Refusal, resolvePath, unknownPath } from "./paths.ts";
import type { LookupContext, SnapshotFiles } from "./snapshot-files.ts";

/** A file, lines of it, or a declaration in it: `Class.method` narrows. */
export interface Place {
  path: string;
  /** 1-based, both inclusive */
  start?: number | undefined;
  end?: number | undefined;
  symbol?: string | undefined;
}

/** A place that was found, and its file. */
export interface FoundPlace {
  path: string;
  /** set if the file is left out of what is searched */
  leftOut?: LeftOut | undefined;
  /** all of the file */
  lines: readonly string[];
  /** what was asked for; none if the file declares no such name */
  spans: "whole" | readonly Span[];
  /** what the file declares, by the look of its lines without a grammar; undefined for what is no code */
  declarations(): Promise<readonly SourceSymbol[] | undefined>;
}

/** Declarations of one name: a function, and those that are registered with it. */
const MAX_OF_NAME = 4;

/** Reads places, each file once, however many places of it are asked for. */
export async function readPlaces(
  context: LookupContext,
  places: readonly Place[],
): Promise<readonly (FoundPlace | Refusal)[]> {
  const linesOf = createLineReader(context.files);
  return Promise.all(places.map((one) => readPlace(context, one, linesOf)));
}

type LineReader = (path: string) => Promise<readonly string[] | Refusal>;

/** Reads each file once. A binary file has no lines; a large one lets others run. */
function createLineReader(files: SnapshotFiles): LineReader {
  const known = new Map<string, ReturnType<LineReader>>();
  const pause = createPacer();
  const read = async (path: string) => {
    const bytes = await files.bytes(path);
    await pause(bytes ? bytes.length : 0);
    if (!bytes) return { reason: `The content of ${path} is not at hand.` };
    return readText(bytes)?.lines ?? { reason: `${path} is no text file: ${whyNotText(bytes)}.` };
  };
  return (path) => {
    const lines = known.get(path) ?? read(path);
    known.set(path, lines);
    return lines;
  };
}

async function readPlace(
  { files, parser }: LookupContext,
  { path: written, ...part }: Place,
  linesOf: LineReader,
): Promise<FoundPlace | Refusal> {
  const resolved = resolvePath(written, files);
  if ("reason" in resolved) return resolved;
  const { path } = resolved;
  const leftOut = files.has(path) ? undefined : files.leftOut.find((one) => one.path === path);
  if (leftOut && !leftOut.shown) return { reason: leftOutNote(leftOut) };
  if (!leftOut && !files.has(path)) {
    return { reason: files.hasFolder(path) ? `${path || "The top"} is a folder: use list.` : unknownPath(files, path) };
  }
  const read = await linesOf(path);
  const lines = "reason" in read ? [] : read;
  const declarations = () => declarationsOf(path, lines, parser);
  const fault = "reason" in read ? read.reason : faultOf(path, lines, part);
  if (fault !== undefined) return { reason: leftOut ? `${leftOutNote(leftOut)}\n${fault}` : fault };
  return { path, leftOut, lines, spans: await spansOf(part, lines, declarations), declarations };
}

/** Says why there are no such lines. */
function faultOf(
  path: string,
  lines: readonly string[],
  { start = 1, end, symbol }: Omit<Place, "path">,
): string | undefined {
  if (lines.length === 0) return `${path} is empty.`;
  if (symbol !== undefined) return undefined;
  const from = Math.max(1, start);
  if (from > lines.length) return `${path} has ${lines.length} lines: there is no line ${from}.`;
  return end !== undefined && end < from ? `No lines from ${from} to ${end}: end comes before start.` : undefined;
}

async function spansOf(
  { start, end, symbol }: Omit<Place, "path">,
  lines: readonly string[],
  declarations: FoundPlace["declarations"],
): Promise<FoundPlace["spans"]> {
  if (symbol === undefined && start === undefined && end === undefined) return "whole";
  const declared = (await declarations()) ?? [];
  if (symbol === undefined) {
    const from = Math.max(1, start ?? 1);
    const begins = declared.some((one) => one.start === from);
    return [{ start: begins ? beginningAbove(lines, from) : from, end: Math.min(lines.length, end ?? lines.length) }];
  }
  const split = splitName(symbol);
  const named = declared.filter(({ name }) => name === split?.name || name === symbol);
  const owned = named.filter(({ parent }) => split?.owner === undefined || parent === split.owner);
  const fitting = owned.length > 0 ? owned : named;
  const implemented = fitting.filter(({ stub }) => !stub);
  return (implemented.length > 0 ? implemented : fitting)
    .slice(0, MAX_OF_NAME)
    .map((one) => ({ start: beginningAbove(lines, one.start), end: one.end }));
}
