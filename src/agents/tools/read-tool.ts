import { z } from "zod";
import { numberLine, type Span } from "../../code/edits/numbered.ts";
import { stripTerminator } from "../../code/edits/text-file.ts";
import type { SourceSymbol } from "../../code/source-parser.ts";
import type { Tool } from "../../models/toolset.ts";
import { defineTool, type SeenLines, type ToolLimits, type ToolOptions } from "./define-tool.ts";
import type { FoundDeclaration, FoundSymbols } from "./lookups/find-symbol.ts";
import type { Lookups } from "./lookups/lookups.ts";
import { type FoundPlace, MAX_OF_NAME } from "./lookups/read-places.ts";
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
      const show = async (one: (typeof found)[number], symbol: string | undefined, readCharacters: number) => {
        const options = { limits: { ...limits, readCharacters }, seen };
        if ("reason" in one) return one.reason;
        return "spans" in one ? showPlace(one, symbol, options) : showSymbols(one, lookups, options);
      };
      const whole = await Promise.all(found.map((one, at) => show(one, places[at]?.symbol, limits.readCharacters)));
      const shares = fillOneByOne(
        whole.map((text) => text.length),
        limits.readCharacters,
      );
      const shown = found.map((one, at) => {
        const [text = "", share = 0] = [whole[at], shares[at]];
        return text.length <= share ? text : show(one, places[at]?.symbol, share);
      });
      return (await Promise.all(shown)).join("\n\n");
    },
  });
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
async function showPlace(
  found: FoundPlace,
  symbol: string | undefined,
  { limits, seen }: ToolOptions,
): Promise<string> {
  const { path, lines, spans } = found;
  const note = found.note && `${found.note}\n`;
  if (spans === "whole") {
    const outline = isLong(lines, limits) ? await outlineOf(found, limits) : undefined;
    return `${note}${outline ?? showLines(found, { start: 1, end: lines.length }, limits, seen)}`;
  }
  if (spans.length > 0) return `${note}${spans.map((span) => showLines(found, span, limits, seen)).join("\n\n")}`;
  const outline = await outlineOf(found, limits);
  return `${note}${path} declares no ${symbol}.${outline === undefined ? " Give lines." : `\n${outline}`}`;
}

/**
 * Shows the first declarations of a name, the first cut if need be, the others whole as far as they fit. Names those
 * that do not fit: a quarter of the room is kept for that.
 */
async function showSymbols(found: FoundSymbols, lookups: Lookups, { limits, seen }: ToolOptions): Promise<string> {
  const { name, owner, declarations, inOtherCase, left } = found;
  if (declarations.length === 0) return whyNoSymbol(found);
  const naming = { ...limits, characters: Math.min(limits.characters, limits.readCharacters / 4) };
  const isOthers = owner !== undefined && !inOtherCase && declarations.every(({ parent }) => parent !== owner);
  const shown: string[] = [];
  const { length: ofNames } = nameAll(declarations.slice(1), naming);
  let room = Math.max(limits.readCharacters / 2, limits.readCharacters - ofNames);
  const first = declarations.slice(0, MAX_OF_NAME).map(({ path, start, end }) => ({ path, start, end }));
  for (const place of await lookups.read(first)) {
    if (!("spans" in place)) break;
    const within = shown.length === 0 ? { ...limits, readCharacters: room } : limits;
    const text = await showPlace(place, undefined, { limits: within, seen });
    if (shown.length > 0 && text.length > room) break;
    shown.push(text);
    room -= text.length;
  }
  const others = declarations.slice(shown.length);
  const parts = [
    inOtherCase ? `No ${name}, but in other case:` : "",
    isOthers ? `None belongs to ${owner}; by its name alone:` : "",
    shown.join("\n\n"),
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
  return meant.note ? `${reason}\n${meant.note}` : reason;
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
  { lines: most, readCharacters }: ToolLimits,
  allSeen: SeenLines,
): string {
  const seen = allSeen.get(path) ?? new Set();
  const rows: string[] = [];
  let [at, left, shown] = [start, readCharacters, 0];
  const last = Math.min(end, lines.length);
  while (at <= last && shown < most) {
    let next = at;
    while (next <= last && seen.has(next)) next += 1;
    if (next - at > FEW) {
      rows.push(`⋮ ${at}-${next - 1} stand above`);
      at = next;
      continue;
    }
    const line = cut(stripTerminator(lines[at - 1] ?? ""), Math.min(MAX_LINE_LENGTH, readCharacters));
    left -= line.length + NUMBER;
    if (left < 0 && shown > 0) break;
    rows.push(numberLine(at, line));
    at += 1;
    shown += 1;
  }
  const [count, unit] = files === undefined ? [lines.length, "line"] : [files, "file"];
  const head = `${path} (${count} ${count === 1 ? unit : `${unit}s`})`;
  const missing = at <= end ? `\n… lines ${at} to ${end} not shown: read on with start ${at}.` : "";
  return `${head}\n${rows.join("\n")}${missing}`;
}

function cut(line: string, most: number): string {
  return line.length > most ? `${line.slice(0, most)}… [${line.length - most} more characters]` : line;
}
