import type { Span } from "../../../code/edits/numbered.ts";
import { readText } from "../../../code/edits/text-file.ts";
import { CALLABLE, type SourceParser, type SourceSymbol } from "../../../code/source-parser.ts";
import { declarationsOf } from "../../../search/declarations.ts";

/** The lines of a file and its declarations, those of a language without a grammar by the look of the lines. */
export interface ParsedFile {
  lines: readonly string[];
  symbols: readonly SourceSymbol[];
}

/** Parses a file. A binary or missing one has no lines. */
export async function parseFile(
  path: string,
  content: Uint8Array | undefined,
  parser: SourceParser,
): Promise<ParsedFile> {
  const lines = (content && readText(content)?.lines) ?? [];
  const symbols = lines.length > 0 ? await declarationsOf(path, lines, parser) : [];
  return { lines, symbols: symbols ?? [] };
}

/** The innermost function around some lines. */
export const functionAround = (symbols: readonly SourceSymbol[], { start, end }: Span): SourceSymbol | undefined =>
  symbols
    .filter((one) => CALLABLE.has(one.kind) && one.start <= start && end <= one.end)
    .sort((a, b) => b.start - a.start)[0];
