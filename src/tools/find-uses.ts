import { splitLines } from "../edits/split-lines.ts";
import type { SourceParser, SourceSymbol } from "../ports/source-parser.ts";
import type { Holder } from "./find-holders.ts";
import { wordPattern } from "./word-pattern.ts";

/** A line on which a name is used. */
export interface FoundUse {
  readonly line: number;
  readonly text: string;
  /** the nearest declaration around, when known */
  readonly inside?: string;
  readonly declares: boolean;
}

/** The uses of a name in one file; `byText` when no grammar told, so that comments and strings count too. */
export interface FileUses {
  readonly path: string;
  readonly byText: boolean;
  readonly uses: readonly FoundUse[];
}

const SMALL = new Set(["constant", "field", "variable", "property"]);

/** Finds the lines of one file on which `name` is used, with what they stand in. */
export async function findUses(parser: SourceParser, { path, text }: Holder, name: string): Promise<FileUses> {
  const lines = splitLines(text);
  const numbers = await parser.references(path, text, name);
  if (numbers === undefined) {
    const word = wordPattern(name, "");
    const uses = lines.flatMap((line, index) => {
      return word.test(line) ? [{ line: index + 1, text: line, declares: false }] : [];
    });
    return { path, byText: true, uses };
  }
  const symbols = numbers.length > 0 ? ((await parser.symbols(path, text)) ?? []) : [];
  const declared = new Set(symbols.filter((symbol) => symbol.name === name).map((symbol) => nameLine(lines, symbol)));
  const uses = numbers.map((line) => {
    const inside = around(symbols, line, declared.has(line) ? name : undefined);
    const use = { line, text: lines[line - 1] ?? "", declares: declared.has(line) };
    return inside === undefined ? use : { ...use, inside };
  });
  return { path, byText: false, uses };
}

/** The line that names a declaration: decorators may stand before it. */
function nameLine(lines: readonly string[], { name, start, end }: SourceSymbol): number {
  const word = wordPattern(name, "");
  const at = lines.slice(start - 1, end).findIndex((line) => word.test(line));
  return start + Math.max(0, at);
}

/** The smallest declaration around a line, other than a value and than the one named. */
function around(symbols: readonly SourceSymbol[], line: number, except: string | undefined): string | undefined {
  let best: SourceSymbol | undefined;
  for (const symbol of symbols) {
    if (symbol.start > line || symbol.end < line || symbol.name === except || SMALL.has(symbol.kind)) continue;
    if (!best || symbol.end - symbol.start <= best.end - best.start) best = symbol;
  }
  return best && (best.parent === undefined ? best.name : `${best.parent}.${best.name}`);
}
