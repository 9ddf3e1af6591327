import {
  holdsDeclarations,
  type ImportedModule,
  isTestKind,
  type SourceParser,
  type SourceSymbol,
} from "../../ports/source-parser.ts";

/** A declaration in a program, with what stands directly above it. */
export interface Declaration extends SourceSymbol {
  /** 1-based: the first line of its comments and attributes */
  readonly from: number;
  /** it holds others, and is no test itself */
  readonly isGroup: boolean;
  /** Rust's tests, and modules of them */
  readonly isTest: boolean;
  /** a test by its title, or by a macro: the file can use no name that it brings */
  readonly isTitled: boolean;
}

/** A file's declarations and imports; none where its language has no parser. */
export interface Program {
  /** with their ends */
  readonly lines: readonly string[];
  readonly declarations: readonly Declaration[];
  readonly imports: readonly ImportedModule[];
  /** all words of the file */
  readonly words: ReadonlySet<string>;
}

/** Takes a program apart by its lines. Never throws. */
export async function readProgram(path: string, lines: readonly string[], parser: SourceParser): Promise<Program> {
  const text = lines.join("");
  const symbols = (await parser.symbols(path, text)) ?? [];
  const imports = symbols.length > 0 ? ((await parser.imports(path, text)) ?? []) : [];
  const declarations = symbols.map((symbol) => {
    const from = beginning(symbol.start, lines);
    const above = lines.slice(from - 1, symbol.start).join("");
    return {
      ...symbol,
      from,
      isGroup: symbol.kind === "suite" || holdsDeclarations(symbol.kind),
      isTitled: isTestKind(symbol.kind) || isMacroCall(symbol, path, lines),
      isTest: RUST_TEST.test(above) || (symbol.kind === "module" && /^tests?$/.test(symbol.name)),
    };
  });
  return { lines, declarations, imports, words: new Set(wordsIn(text)) };
}

export const wordsIn = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_$]+/gu) ?? [];

/** `TEST(Suite, Name) {`, which the parser takes for a function of the macro's name. */
const isMacroCall = ({ name, start }: SourceSymbol, path: string, lines: readonly string[]): boolean =>
  C_FAMILY.test(path) && /^[A-Z_]+$/.test(name) && (lines[start - 1] ?? "").trimStart().startsWith(`${name}(`);

const C_FAMILY = /\.(?:c|cc|cpp|cxx|hh?|hpp|mm?)$/i;

const RUST_TEST = /#\[(?:[\w:]*test\b|cfg\(test\))/;

/** Comments and attributes; not the directives of C's preprocessor. */
const ABOVE = /^\s*(?:\/\/|\/\*|\*|@|\[|#\[|#\s+(?!define|undef|if|el|end|include|pragma))/;

/** Lines above a declaration that belong to it. */
const MAX_ABOVE = 60;

function beginning(start: number, lines: readonly string[]): number {
  let from = start;
  while (from > 1 && start - from < MAX_ABOVE && ABOVE.test(lines[from - 2] ?? "")) from--;
  return from;
}
