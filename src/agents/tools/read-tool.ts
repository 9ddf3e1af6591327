import { z } from "zod";
import { numberLine, type Span } from "../../code/edits/numbered.ts";
import { stripTerminator } from "../../code/edits/text-file.ts";
import type { SourceSymbol } from "../../code/source-parser.ts";
import type { Tool } from "../../models/toolset.ts";
import { defineTool, type ToolLimits, type ToolOptions } from "./define-tool.ts";
import type { FoundDeclaration, FoundSymbols } from "./lookups/find-symbol.ts";
import type { Lookups } from "./lookups/lookups.ts";
import type { FoundPlace } from "./lookups/read-places.ts";
import { lengthOf, shorten, showMatches } from "./matches.ts";

const MAX_PLACES = 8;

/** Characters that a long place gets even if others fill the room. */
const BEGINNING = 600;

const place = z.object({
  path: z.string().optional(),
  start: z.int().optional(),
  end: z.int().optional(),
  symbol: z.string().optional().describe("a name or Class.method, in place of lines"),
});

const shape = z.object({ places: z.array(place).min(1).max(MAX_PLACES) });

/** `read`: files, folders and declarations; several in one call, since every call costs a turn. */
export function createReadTool(lookups: Lookups, { limits, seen }: ToolOptions): Tool {
  return defineTool({
    name: "read",
    description: `Numbered lines, of up to ${MAX_PLACES} places of ${limits.lines} lines. Of a folder, its entries; of a long file, what it declares. A symbol needs no path.`,
    shape,
    run: async ({ places }) => {
      const found = await lookups.read(places);
      const show = async (at: number, readCharacters: number, shown: ShownLines) => {
        const [one, options] = [found[at], { limits: { ...limits, readCharacters }, seen, shown }];
        if (one === undefined || "reason" in one) return one?.reason ?? "";
        return "spans" in one ? showPlace(one, places[at]?.symbol, options) : showSymbols(one, lookups, options);
      };
      const alone = await Promise.all(
        found.map(async (_, at) => {
          const lines: ShownLines = new Set();
          return { text: await show(at, limits.readCharacters, lines), lines };
        }),
      );
      const shares = fillOneByOne(
        alone.map(({ text }) => text.length),
        limits.readCharacters,
      );
      const shown: ShownLines = new Set();
      const texts: string[] = [];
      for (const [at, { text, lines }] of alone.entries()) {
        const share = shares[at] ?? 0;
        const isRepeated = [...lines].some((line) => shown.has(line));
        const mayStay = text.length <= share && !isRepeated;
        // Without what stands above, a text gets shorter.
        const room = text.length <= share ? limits.readCharacters : share;
        texts.push(mayStay ? text : await show(at, room, shown));
        if (mayStay) addTo(shown, lines);
      }
      return texts.join("\n\n");
    },
  });
}

/** The lines that an answer has shown so far, as `path:line`. */
type ShownLines = Set<string>;

const isAbove = (path: string, line: number, { seen, shown }: Pick<ShowOptions, "seen" | "shown">): boolean =>
  seen.get(path)?.has(line) === true || shown.has(`${path}:${line}`);

const addTo = (shown: ShownLines, lines: Iterable<string>) => {
  for (const line of lines) shown.add(line);
};

interface ShowOptions extends ToolOptions {
  /** grows by what is shown */
  shown: ShownLines;
}

/**
 * Divides `room` among places: short ones get what they need, then long ones one after the other, so that the first is
 * seen to its end. Each gets at least its beginning: a refusal would cost another turn.
 */
function fillOneByOne(lengths: readonly number[], room: number): readonly number[] {
  const fair = Math.floor(room / lengths.length);
  const least = Math.min(BEGINNING, fair);
  let left = room - lengths.reduce((sum, length) => sum + (length <= fair ? length : least), 0);
  return lengths.map((length) => {
    if (length <= fair) return length;
    const share = Math.min(length, least + left);
    left -= share - least;
    return share;
  });
}

/** Shows a place. For a long file as a whole, and for an unknown name, it lists what the file declares. */
async function showPlace(found: FoundPlace, symbol: string | undefined, options: ShowOptions): Promise<string> {
  const { limits } = options;
  const { path, lines, spans } = found;
  const note = found.note && `${found.note}\n`;
  if (spans === "whole") {
    const outline = isLong(lines, limits) ? await outlineOf(found, limits) : undefined;
    return `${note}${outline ?? showLines(found, { start: 1, end: lines.length }, options)}`;
  }
  if (spans.length > 0) return `${note}${spans.map((span) => showLines(found, span, options)).join("\n\n")}`;
  const outline = await outlineOf(found, limits);
  return `${note}${path} declares no ${symbol}.${outline === undefined ? " Give lines." : `\n${outline}`}`;
}

/** Declarations of one name that are shown: a function, and those that are registered with it. */
const MAX_OF_NAME = 4;

/**
 * Shows the first declarations of a name, the first cut if need be, the others whole as far as they fit; implementations
 * alone if there are any. Names those that are not shown: a quarter of the room is kept for that.
 */
async function showSymbols(found: FoundSymbols, lookups: Lookups, options: ShowOptions): Promise<string> {
  const { name, otherThan, declarations, inOtherCase, left } = found;
  if (declarations.length === 0) return whyNoSymbol(found);
  const { limits, shown } = options;
  const naming = { ...limits, characters: Math.min(limits.characters, limits.readCharacters / 4) };
  const implemented = declarations.filter(({ stub }) => !stub);
  const first = (implemented.length > 0 ? implemented : declarations).slice(0, MAX_OF_NAME);
  const read = await lookups.read(first.map(({ path, start, end }) => ({ path, start, end })));
  const texts: string[] = [];
  const told: FoundDeclaration[] = [];
  const { length: ofNames } = nameAll(declarations.slice(1), naming);
  let room = Math.max(limits.readCharacters / 2, limits.readCharacters - ofNames);
  const isWithin = (one: FoundDeclaration) =>
    told.some(({ path, start, end }) => path === one.path && start <= one.start && one.end <= end);
  for (const [at, one] of first.entries()) {
    const place = read[at];
    if (!place || !("spans" in place)) break;
    if (isWithin(one)) continue;
    const within = texts.length === 0 ? { ...limits, readCharacters: room } : limits;
    const lines = new Set(shown);
    const text = await showPlace(place, undefined, { ...options, limits: within, shown: lines });
    const isCut = !isAbove(one.path, one.end, { seen: options.seen, shown: lines });
    if (texts.length > 0 && (isCut || text.length > room)) break;
    addTo(shown, lines);
    texts.push(text);
    told.push(one);
    room -= text.length;
  }
  const isShown = (one: FoundDeclaration) => isWithin(one) && shown.has(`${one.path}:${one.start}`);
  const others = declarations.filter((one) => !told.includes(one) && !isShown(one));
  const parts = [
    inOtherCase ? `No ${name}, but in other case:` : "",
    otherThan === undefined ? "" : `None belongs to ${otherThan}; by its name alone:`,
    texts.join("\n\n"),
    others.length > 0 ? `\nAlso declared:\n${nameAll(others, naming)}` : "",
    left > 0 ? `${left} more files hold the name and were not parsed: narrow with path.` : "",
  ];
  return parts.filter((part) => part !== "").join("\n");
}

/** Says that no file declares the name, and where it stands. */
function whyNoSymbol({ name, meant, holders, looked }: FoundSymbols): string {
  const [first] = holders;
  const where = holders.length === 1 ? `only ${first}` : `${holders.length} files, the first ${first}`;
  const reason =
    first === undefined
      ? `${name} stands in none of ${looked} files: search for a part of it.`
      : `No declaration of ${name} was found. The word stands in ${where}: search for it.`;
  return [reason, meant.note, first === undefined ? meant.ifNothing : ""].filter((part) => part).join("\n");
}

/** Names declarations by place, kind and the line that names them. */
function nameAll(declarations: readonly FoundDeclaration[], limits: ToolLimits): string {
  const paths = [...new Set(declarations.map(({ path }) => path))];
  const matches = paths.map((path) => {
    const here = declarations.filter((one) => one.path === path);
    return { path, lines: here.map((one) => nameOne(one, limits)) };
  });
  return showMatches(matches, limits);
}

function nameOne({ start, end, kind, parent, text, by, stub }: FoundDeclaration, { lineCharacters }: ToolLimits) {
  const owner = parent === undefined ? "" : ` in ${parent}`;
  const more = `${by === undefined ? "" : `, by ${by}`}${stub ? ", signature only" : ""}`;
  return {
    line: start,
    at: start === end ? `${start}` : `${start}-${end}`,
    text: `${kind}${owner}${more}: ${shorten(text.trim(), lineCharacters)}`,
  };
}

function isLong(lines: readonly string[], limits: ToolLimits): boolean {
  const characters = lines.reduce((sum, text) => sum + text.length + 7, 0);
  return lines.length > limits.lines || characters > limits.readCharacters;
}

const SMALL = new Set(["constant", "field", "variable", "property"]);

/**
 * Lists what a file declares, with line numbers to ask for; undefined without a grammar. If it is too much, values in
 * other declarations go first, then everything in them.
 */
async function outlineOf({ path, lines, declarations }: FoundPlace, limits: ToolLimits): Promise<string | undefined> {
  const symbols = await declarations();
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

/** Indents members below their declaration; elsewhere they name it. */
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

const MAX_LINE_LENGTH = 2_000;

/** Characters of a line's number, about. */
const NUMBER = 6;

/** So few lines are shown again rather than named. */
const FEW = 3;

/** Shows a span of lines, numbered, cut visibly at the limits. Lines that stand above in the prompt are named. */
function showLines(
  { path, lines, files }: FoundPlace,
  { start, end }: Span,
  { limits: { lines: most, readCharacters }, seen, shown }: ShowOptions,
): string {
  const rows: string[] = [];
  let [at, left, count] = [start, readCharacters, 0];
  const last = Math.min(end, lines.length);
  while (at <= last && count < most) {
    let next = at;
    while (next <= last && isAbove(path, next, { seen, shown })) next += 1;
    if (next - at > FEW) {
      rows.push(`⋮ ${at}-${next - 1} stand above`);
      at = next;
      continue;
    }
    const line = cut(stripTerminator(lines[at - 1] ?? ""), Math.min(MAX_LINE_LENGTH, readCharacters));
    left -= line.length + NUMBER;
    if (left < 0 && count > 0) break;
    rows.push(numberLine(at, line));
    shown.add(`${path}:${at}`);
    at += 1;
    count += 1;
  }
  const [total, unit] = files === undefined ? [lines.length, "line"] : [files, "file"];
  const head = `${path} (${total} ${total === 1 ? unit : `${unit}s`})`;
  const missing = at <= end ? `\n… lines ${at} to ${end} not shown: read on with start ${at}.` : "";
  return `${head}\n${rows.join("\n")}${missing}`;
}

function cut(line: string, most: number): string {
  return line.length > most ? `${line.slice(0, most)}… [${line.length - most} more characters]` : line;
}
