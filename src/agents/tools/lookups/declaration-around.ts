import type { SourceSymbol } from "../../../code/source-parser.ts";

export const VALUES: ReadonlySet<string> = new Set(["constant", "field", "variable", "property"]);

/**
 * Names the smallest declaration around a 1-based line, as `Class.method`; undefined at the top of a file. Values do
 * not count, nor does what is called `except`.
 */
export function declarationAround(symbols: readonly SourceSymbol[], line: number, except?: string): string | undefined {
  let best: SourceSymbol | undefined;
  for (const symbol of symbols) {
    if (symbol.start > line || symbol.end < line || symbol.name === except || VALUES.has(symbol.kind)) continue;
    if (!best || symbol.end - symbol.start <= best.end - best.start) best = symbol;
  }
  return best && (best.parent === undefined ? best.name : `${best.parent}.${best.name}`);
}
