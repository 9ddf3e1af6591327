import { z } from "zod";
import { numberLines } from "../edits/numbered.ts";
import { readText, stripTerminator } from "../edits/text-file.ts";
import type { Tool } from "../llm/toolset.ts";
import type { SourceSymbol } from "../ports/source-parser.ts";
import { defineTool, type ToolContext, type ToolLimits } from "./context.ts";
import { splitName } from "./lookups/holders.ts";
import { leftOutNote } from "./lookups/left-out.ts";
import { createPacer } from "./lookups/pacer.ts";
import { resolvePath, unknownPath } from "./lookups/paths.ts";
import type { SnapshotFiles } from "./lookups/snapshot-files.ts";

const MAX_PLACES = 8;

/** Less of a file tells nothing. */
const LEAST = 200;

/** Declarations of one name that are shown: a function, and those that are registered with it. */
const MAX_OF_NAME = 4;

const place = z.object({
  path: z.string(),
  start: z.int().optional(),
  end: z.int().optional(),
  symbol: z.string().optional().describe("instead of lines: a declaration, whole; Class.method narrows"),
});

const shape = z.object({ places: z.array(place).min(1).max(MAX_PLACES) });

/** `read`: parts of files, numbered as everywhere; several in one call, since every call costs a turn. */
export function createReadTool(context: ToolContext): Tool {
  const { limits } = context;
  return defineTool({
    name: "read",
    description: `Lines of files, numbered: up to ${MAX_PLACES} places, each of up to ${limits.lines} lines. Of a long file without lines or symbol, what it declares.`,
    shape,
    run: async ({ places }) => {
      const linesOf = createLineReader(context.files);
      const read = (one: Place, characters: number) =>
        readPlace({ ...context, linesOf, limits: { ...limits, readCharacters: characters } }, one);
      const whole = await Promise.all(places.map((one) => read(one, limits.readCharacters)));
      const shares = fillOneByOne(
        whole.map((text) => text.length),
        limits.readCharacters,
      );
      const shown = places.map((one, at) => {
        const [text = "", share] = [whole[at], shares[at]];
        if (share === undefined) return `${placeName(one)}: not shown, there was no room left: ask for it again.`;
        return text.length <= share ? text : read(one, share);
      });
      return (await Promise.all(shown)).join("\n\n");
    },
  });
}

type LineReader = (path: string) => Promise<readonly string[] | undefined>;

/** Reads each file once, however many places of it are asked for; none of a binary one. A large one takes a turn of its own. */
function createLineReader(files: SnapshotFiles): LineReader {
  const known = new Map<string, ReturnType<LineReader>>();
  const pause = createPacer();
  const read = async (path: string) => {
    const bytes = await files.bytes(path);
    await pause(bytes ? bytes.length : 0);
    return bytes && readText(bytes)?.lines;
  };
  return (path) => {
    const lines = known.get(path) ?? read(path);
    known.set(path, lines);
    return lines;
  };
}

interface ReadContext extends ToolContext {
  readonly linesOf: LineReader;
}

/**
 * How much of `room` each place may take: short ones what they need, then the long ones one after the other, so that the
 * first is seen to its end and not each to a third. Undefined: nothing is left for it.
 */
function fillOneByOne(lengths: readonly number[], room: number): readonly (number | undefined)[] {
  const fair = Math.floor(room / lengths.length);
  const short = lengths.reduce((sum, length) => sum + (length <= fair ? length : 0), 0);
  let left = room - short;
  return lengths.map((length) => {
    if (length <= fair) return length;
    const share = Math.min(length, left);
    if (share < LEAST) return undefined;
    left -= share;
    return share;
  });
}

interface Place {
  readonly path: string;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly symbol?: string | undefined;
}

const placeName = ({ path, start, end, symbol }: Place) =>
  symbol !== undefined
    ? `${path} ${symbol}`
    : start === undefined
      ? path
      : `${path} from line ${start}${end ? ` to ${end}` : ""}`;

/** Lines of one file, by their numbers or by the declaration they are; of a long file without either its outline. */
async function readPlace(context: ReadContext, { path: written, start, end, symbol }: Place): Promise<string> {
  const { files } = context;
  const resolved = resolvePath(written);
  if ("reason" in resolved) return resolved.reason;
  const { path } = resolved;
  const leftOut = files.has(path) ? undefined : files.leftOut.find((one) => one.path === path);
  if (leftOut) {
    const note = leftOutNote(leftOut);
    return leftOut.shown ? `${note}\n${await readKnown(context, path, { start, end, symbol })}` : note;
  }
  if (!files.has(path)) {
    return files.hasFolder(path) ? `${path || "The top"} is a folder: use list.` : unknownPath(files, path);
  }
  return readKnown(context, path, { start, end, symbol });
}

async function readKnown(context: ReadContext, path: string, { start, end, symbol }: Omit<Place, "path">) {
  const { limits } = context;
  const lines = await context.linesOf(path);
  if (!lines) return `${path} is no text file, or its content is not at hand.`;
  if (lines.length === 0) return `${path} is empty.`;
  if (symbol !== undefined) return readSymbol(context, path, lines, symbol);
  if (start === undefined && end === undefined && isLong(lines, limits)) {
    return (await outlineSymbols(context, path, lines)) ?? showLines(path, lines, 1, lines.length, limits);
  }
  const from = Math.max(1, start ?? 1);
  const to = Math.min(lines.length, end ?? lines.length);
  if (from > lines.length) return `${path} has ${lines.length} lines: there is no line ${from}.`;
  if (to < from) return `No lines from ${from} to ${end}: end comes before start.`;
  return showLines(path, lines, from, to, limits);
}

async function readSymbol(context: ToolContext, path: string, lines: readonly string[], symbol: string) {
  const { parser, limits } = context;
  const split = splitName(symbol);
  const symbols = (await parser.symbols(path, lines.join(""))) ?? [];
  const named = symbols.filter(({ name }) => name === split?.name || name === symbol);
  const owned = named.filter(({ parent }) => split?.owner === undefined || parent === split.owner);
  const fitting = owned.length > 0 ? owned : named;
  const whole = fitting.filter(({ stub }) => !stub);
  const found = (whole.length > 0 ? whole : fitting).slice(0, MAX_OF_NAME);
  if (found.length > 0) return found.map(({ start, end }) => showLines(path, lines, start, end, limits)).join("\n\n");
  const outline = await outlineSymbols(context, path, lines);
  return `${path} declares no ${symbol}.${outline === undefined ? " Give lines." : `\n${outline}`}`;
}

function isLong(lines: readonly string[], limits: ToolContext["limits"]): boolean {
  const characters = lines.reduce((sum, text) => sum + text.length + 7, 0);
  return lines.length > limits.lines || characters > limits.readCharacters;
}

const SMALL = new Set(["constant", "field", "variable", "property"]);

/**
 * What a long file declares, with line numbers, so that a part can be asked for; undefined when that is not known.
 * Where there is too much, small things in others go first, then all that stands in others.
 */
async function outlineSymbols(
  { parser, limits }: ToolContext,
  path: string,
  lines: readonly string[],
): Promise<string | undefined> {
  const symbols = await parser.symbols(path, lines.join(""));
  if (symbols === undefined || symbols.length === 0) return undefined;
  const levels: readonly ((symbol: SourceSymbol) => boolean)[] = [
    () => true,
    ({ parent, kind }) => parent === undefined || !SMALL.has(kind),
    ({ kind }) => !SMALL.has(kind),
    ({ parent, kind }) => parent === undefined && !SMALL.has(kind),
  ];
  const head = `${path} has ${lines.length} lines. It declares the following; read the part you need with start and end.`;
  const room = limits.readCharacters - head.length;
  const outlines = levels.map((level) => tell(symbols.filter(level)));
  const fitting = outlines.find((outline) => lengthOf(outline) <= room) ?? outlines.at(-1) ?? [];
  const shown: string[] = [];
  let characters = 0;
  for (const line of fitting) {
    characters += line.length + 1;
    if (characters > room) break;
    shown.push(line);
  }
  const left = symbols.length - shown.length;
  return [head, ...shown, ...(left > 0 ? [`… ${left} smaller or later declarations not shown.`] : [])].join("\n");
}

/** What stands in the declaration above it is only set in; what belongs to another one names it. */
function tell(symbols: readonly SourceSymbol[]): string[] {
  let above: string | undefined;
  return symbols.map(({ kind, name, start, end, parent, by }) => {
    const lines = start === end ? `${start}` : `${start}-${end}`;
    const registered = by === undefined ? "" : ` ${by}`;
    if (parent === undefined) above = name;
    if (parent === undefined) return `${lines} ${kind} ${name}${registered}`;
    return `  ${lines} ${kind} ${parent === above ? name : `${parent}.${name}`}${registered}`;
  });
}

function lengthOf(outline: readonly string[]): number {
  return outline.reduce((sum, line) => sum + line.length + 1, 0);
}

const MAX_LINE_LENGTH = 2_000;

/** What `numberLines` puts before a line, at most about this many characters. */
const NUMBER = 6;

/** Lines `from` to `to` of a file, 1-based and inclusive, numbered; as many of them as the limits allow, cut visibly. */
function showLines(
  path: string,
  lines: readonly string[],
  from: number,
  to: number,
  { lines: most, readCharacters }: ToolLimits,
): string {
  const shown: string[] = [];
  let characters = 0;
  for (const whole of lines.slice(from - 1, Math.min(to, from - 1 + most))) {
    const line = cut(stripTerminator(whole), Math.min(MAX_LINE_LENGTH, readCharacters));
    characters += line.length + NUMBER;
    if (characters > readCharacters && shown.length > 0) break;
    shown.push(line);
  }
  const last = from + shown.length - 1;
  const head = `${path} (${lines.length} ${lines.length === 1 ? "line" : "lines"})`;
  const missing = last < to ? `\n… lines ${last + 1} to ${to} not shown: read on with start ${last + 1}.` : "";
  return `${head}\n${numberLines(shown, from)}${missing}`;
}

function cut(line: string, most: number): string {
  return line.length > most ? `${line.slice(0, most)}… [${line.length - most} more characters]` : line;
}
