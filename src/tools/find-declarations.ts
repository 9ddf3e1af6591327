import { splitLines } from "../edits/split-lines.ts";
import type { SourceSymbol } from "../ports/source-parser.ts";
import { CODE } from "../search/path-rules.ts";
import { createPacer } from "./create-pacer.ts";
import type { Holder } from "./find-holders.ts";
import { isDeclarationLine } from "./is-declaration-line.ts";
import type { ToolContext } from "./tool-context.ts";
import { wordPattern } from "./word-pattern.ts";

/** A declaration and where it is; `byText` when no grammar told. */
export interface FoundDeclaration extends SourceSymbol {
  readonly path: string;
  /** the line that names it */
  readonly text: string;
  readonly byText: boolean;
}

/** Declarations in `holders` whose name passes `fits`, in path order. Files without a grammar are looked through by lines. */
export async function findDeclarations(
  { parser }: ToolContext,
  holders: readonly Holder[],
  name: string,
  fits: (declared: string) => boolean,
): Promise<FoundDeclaration[]> {
  const pause = createPacer();
  const found: FoundDeclaration[] = [];
  for (const { path, text } of [...holders].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const symbols = await parser.symbols(path, text);
    const lines = splitLines(text);
    if (symbols) {
      const fitting = symbols.filter((symbol) => fits(symbol.name));
      found.push(...fitting.map((symbol) => ({ ...symbol, path, text: namingLine(lines, symbol), byText: false })));
    } else if (CODE.test(path.toLowerCase())) found.push(...byText(path, lines, name));
    await pause(text.length * 20);
  }
  return found;
}

/** A declaration may begin with decorators: the line that holds its name says more. */
function namingLine(lines: readonly string[], { name, start, end }: SourceSymbol): string {
  const word = wordPattern(name, "");
  return lines.slice(start - 1, end).find((line) => word.test(line)) ?? lines[start - 1] ?? "";
}

function byText(path: string, lines: readonly string[], name: string): FoundDeclaration[] {
  return lines.flatMap((text, index) =>
    isDeclarationLine(text, name)
      ? [{ path, name, kind: "declaration", start: index + 1, end: index + 1, text, byText: true }]
      : [],
  );
}
