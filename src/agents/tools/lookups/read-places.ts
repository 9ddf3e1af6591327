import type { Span } from "../../../code/edits/numbered.ts";
import { readText } from "../../../code/edits/text-file.ts";
import type { SourceSymbol } from "../../../code/source-parser.ts";
import { beginningAbove, declarationsOf } from "../../../search/declarations.ts";
import { figure } from "../../../text/counted.ts";
import { whyNotText } from "../../../text/found-text.ts";
import { createPacer } from "../../../text/next-turn.ts";
import { type FoundSymbols, findSymbol } from "./find-symbol.ts";
import { countLeftOut, leftOutNote } from "./left-out.ts";
import { GLOB, type Refusal, resolvePath, selectPaths, unknownPath } from "./paths.ts";
import type { LookupContext, SnapshotFiles } from "./snapshot-files.ts";

/**
 * A file, lines of it, or a declaration in it: `Class.method` narrows. Also a folder, and a declaration anywhere below
 * it; anywhere at all without `path`.
 */
export interface Place {
  path?: string | undefined;
  /** 1-based, both inclusive */
  start?: number | undefined;
  end?: number | undefined;
  symbol?: string | undefined;
}

/** A place that was found, and its file or folder. */
export interface FoundPlace {
  /** of a folder with a final slash; a glob if that was asked for */
  path: string;
  /** says that the file, or what of the folder, is left out of what is searched, and why; "" if nothing is */
  note: string;
  /** all of the file, the entries of the folder, or the paths that fit the glob */
  lines: readonly string[];
  /** of a folder or glob: how many files it holds at any depth */
  files?: number;
  /** what was asked for; none if the file declares no such name */
  spans: "whole" | readonly Span[];
  /** what the file declares, by the look of its lines without a grammar; undefined for what is no code */
  declarations(): Promise<readonly SourceSymbol[] | undefined>;
}

/** Reads places, each file once, however many places of it are asked for. */
export async function readPlaces(
  context: LookupContext,
  places: readonly Place[],
): Promise<readonly (FoundPlace | FoundSymbols | Refusal)[]> {
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
  context: LookupContext,
  { path: written, symbol: name, ...part }: Place,
  linesOf: LineReader,
): Promise<FoundPlace | FoundSymbols | Refusal> {
  const { files, parser } = context;
  const found = name ? await findSymbol(context, { name, path: written }) : undefined;
  if (found && ("reason" in found || found.declarations.length > 0)) return atLines(found, part);
  if (written === undefined) return found ?? { reason: NOTHING_ASKED };
  const resolved = resolvePath(written, files);
  if ("reason" in resolved) return resolved;
  const { path } = resolved;
  const leftOut = files.has(path) ? undefined : files.leftOut.find((one) => one.path === path);
  if (leftOut && !leftOut.shown) return { reason: leftOutNote(leftOut) };
  if (!leftOut && !files.has(path)) {
    const folder = found ?? (GLOB.test(path) ? readGlob(files, path) : readFolder(files, path));
    return "lines" in folder ? partOf(folder, part) : folder;
  }
  const note = leftOut ? leftOutNote(leftOut) : "";
  const lines = await linesOf(path);
  if ("reason" in lines) return explained(note, lines.reason);
  const whole = { path, note, lines, declarations: () => declarationsOf(path, lines, parser) };
  if (!found || lines.length === 0) return partOf(whole, part);
  if (part.start !== undefined) return partOf({ ...whole, note: `${note}${path} declares no ${name}.` }, part);
  // What the file declares instead helps on.
  return { ...whole, spans: [] };
}

/** Of several declarations of a name those at the lines that are given, too, if there are any. */
function atLines<T extends FoundSymbols | Refusal>(found: T, { start, end = start }: Pick<Place, "start" | "end">): T {
  if ("reason" in found || start === undefined || end === undefined) return found;
  const there = found.declarations.filter((one) => one.start <= end && one.end >= start);
  return there.length > 0 ? { ...found, declarations: there } : found;
}

const NOTHING_ASKED = "A place needs a path, or a symbol to find.";

const NO_FILES = "There are no files that may be seen.";

const explained = (note: string, reason: string): Refusal => ({ reason: note ? `${note}\n${reason}` : reason });

/** Gives the entries of a folder as lines: folders first, then files, both by name. */
function readFolder(files: SnapshotFiles, folder: string): Omit<FoundPlace, "spans"> | Refusal {
  const prefix = folder === "" ? "" : `${folder}/`;
  const below = files.paths.filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length));
  const note = countLeftOut(files.leftOut.filter((one) => one.path.startsWith(prefix)));
  if (below.length === 0) return { reason: note || (folder === "" ? NO_FILES : unknownPath(files, folder)) };
  const folders = new Map<string, number>();
  for (const [name, ...inner] of below.map((one) => one.split("/")))
    if (name !== undefined && inner.length > 0) folders.set(name, (folders.get(name) ?? 0) + 1);
  const lines = [
    ...[...folders].map(([name, count]) => `${name}/ (${figure(count, "file")})`),
    ...below.filter((one) => !one.includes("/")),
  ];
  return { path: prefix || "./", note, lines, files: below.length, declarations: async () => undefined };
}

/** Gives the paths that fit a glob as lines. */
function readGlob(files: SnapshotFiles, glob: string): Omit<FoundPlace, "spans"> | Refusal {
  const meant = selectPaths(files, glob);
  if ("reason" in meant) return meant;
  const { paths: lines, note = "" } = meant;
  return { path: glob, note, lines, files: lines.length, declarations: async () => undefined };
}

/** Finds what is asked for of a file or folder, or says why it is not there. */
async function partOf(
  whole: Omit<FoundPlace, "spans">,
  part: Pick<Place, "start" | "end">,
): Promise<FoundPlace | Refusal> {
  const { path, note, lines, declarations } = whole;
  const fault = faultOf(path, lines, part);
  return fault === undefined ? { ...whole, spans: await spansOf(part, lines, declarations) } : explained(note, fault);
}

/** Says why there are no such lines. */
function faultOf(
  path: string,
  lines: readonly string[],
  { start = 1, end }: Pick<Place, "start" | "end">,
): string | undefined {
  if (lines.length === 0) return `${path} is empty.`;
  const from = Math.max(1, start);
  if (from > lines.length) return `${path} has ${lines.length} lines: there is no line ${from}.`;
  return end !== undefined && end < from ? `No lines from ${from} to ${end}: end comes before start.` : undefined;
}

async function spansOf(
  { start, end }: Pick<Place, "start" | "end">,
  lines: readonly string[],
  declarations: FoundPlace["declarations"],
): Promise<FoundPlace["spans"]> {
  if (start === undefined && end === undefined) return "whole";
  const declared = (await declarations()) ?? [];
  const from = Math.max(1, start ?? 1);
  const begins = declared.some((one) => one.start === from);
  return [{ start: begins ? beginningAbove(lines, from) : from, end: Math.min(lines.length, end ?? lines.length) }];
}
