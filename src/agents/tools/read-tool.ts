import { z } from "zod";
import { numberLine, type Span } from "../../code/edits/numbered.ts";
import { stripTerminator } from "../../code/edits/text-file.ts";
import type { SourceSymbol } from "../../code/source-parser.ts";
import type { Tool } from "../../models/toolset.ts";
import { defineTool, type ToolLimits, type ToolOptions } from "./define-tool.ts";
import { leftOutNote } from "./lookups/left-out.ts";
import type { Lookups } from "./lookups/lookups.ts";
import type { FoundPlace } from "./lookups/read-places.ts";
import { lengthOf } from "./matches.ts";

const MAX_PLACES = 8;

/** Characters that a long place gets even if others fill the room. */
const BEGINNING = 600;

const place = z.object({
  path: z.string(),
  start: z.int().optional(),
  end: z.int().optional(),
  symbol: z.string().optional().describe("a declaration, in place of lines"),
});

const shape = z.object({ places: z.array(place).min(1).max(MAX_PLACES) });

/** `read`: numbered parts of files; several in one call, since every call costs a turn. */
export function createReadTool(lookups: Lookups, { limits, seen }: ToolOptions): Tool {
  return defineTool({
    name: "read",
    description: `Numbered lines, of up to ${MAX_PLACES} places of ${limits.lines} lines. Of a long file without lines or symbol, what it declares.`,
    shape,
    run: async ({ places }) => {
      const found = await lookups.read(places);
      const show = (one: (typeof found)[number], symbol: string | undefined, readCharacters: number) =>
        "reason" in one ? one.reason : showPlace(one, symbol, { ...limits, readCharacters }, seen.get(one.path));
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
  limits: ToolLimits,
  seen?: ReadonlySet<number>,
): Promise<string> {
  const { path, lines, spans, leftOut } = found;
  const note = leftOut ? `${leftOutNote(leftOut)}\n` : "";
  if (spans === "whole") {
    const outline = isLong(lines, limits) ? await outlineOf(found, limits) : undefined;
    return `${note}${outline ?? showLines(found, { start: 1, end: lines.length }, limits, seen)}`;
  }
  if (spans.length > 0) return `${note}${spans.map((span) => showLines(found, span, limits, seen)).join("\n\n")}`;
  const outline = await outlineOf(found, limits);
  return `${note}${path} declares no ${symbol}.${outline === undefined ? " Give lines." : `\n${outline}`}`;
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
  { path, lines }: FoundPlace,
  { start, end }: Span,
  { lines: most, readCharacters }: ToolLimits,
  seen: ReadonlySet<number> = new Set(),
): string {
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
  const head = `${path} (${lines.length} ${lines.length === 1 ? "line" : "lines"})`;
  const missing = at <= end ? `\n… lines ${at} to ${end} not shown: read on with start ${at}.` : "";
  return `${head}\n${rows.join("\n")}${missing}`;
}

function cut(line: string, most: number): string {
  return line.length > most ? `${line.slice(0, most)}… [${line.length - most} more characters]` : line;
}
