import type { SourceSymbol } from "../ports/source-parser.ts";
import type { ToolContext } from "./tool-context.ts";

const SMALL = new Set(["constant", "field", "variable", "property"]);

/**
 * What a long file declares, with line numbers, so that a part can be asked for; undefined when that is not known.
 * Where there is too much, small things in others go first, then all that stands in others.
 */
export async function outlineSymbols(
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
  return symbols.map(({ kind, name, start, end, parent }) => {
    const lines = start === end ? `${start}` : `${start}-${end}`;
    if (parent === undefined) above = name;
    if (parent === undefined) return `${lines} ${kind} ${name}`;
    return `  ${lines} ${kind} ${parent === above ? name : `${parent}.${name}`}`;
  });
}

function lengthOf(outline: readonly string[]): number {
  return outline.reduce((sum, line) => sum + line.length + 1, 0);
}
