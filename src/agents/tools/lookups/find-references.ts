import { splitLines } from "../../../code/edits/text-file.ts";
import type { SourceParser, SourceSymbol } from "../../../code/source-parser.ts";
import { groupOf } from "../../../search/classify-file.ts";
import { createPacer } from "../../../text/next-turn.ts";
import { declarationAround } from "./declaration-around.ts";
import { findHolders, type Holder, parsingWork, splitName, wordPattern } from "./names.ts";
import type { LookupContext } from "./snapshot-files.ts";

/**
 * Finds the uses of a name, as models write it, in the files with the word, sources first, within the limit of work.
 * Comments and strings count only without a grammar: a file with the word there alone has no uses.
 */
export async function findReferences(context: LookupContext, written: string): Promise<readonly FileUses[]> {
  const { parser, limits } = context;
  const name = splitName(written)?.name;
  if (name === undefined) return [];
  const holders = sourceFirst(await findHolders(context, context.files.paths, name));
  const pause = createPacer();
  const files: FileUses[] = [];
  let work = 0;
  for (const [index, holder] of holders.entries()) {
    work += parsingWork(holder.text);
    if (work > limits.parsedBytes && index > 0) break;
    files.push(await findUses(parser, holder, name));
    await pause(holder.text.length * 20);
  }
  return files;
}

/** A line on which a name is used. */
export interface FoundUse {
  line: number;
  text: string;
  /** the nearest declaration around, when known */
  inside?: string;
  declares: boolean;
}

/** The uses of a name in one file. Without a grammar, comments and strings count, too. */
export interface FileUses {
  path: string;
  uses: readonly FoundUse[];
}

/** Finds the lines that use `name` in one file, and the declaration around each. */
async function findUses(parser: SourceParser, { path, text }: Holder, name: string): Promise<FileUses> {
  const lines = splitLines(text);
  const numbers = await parser.references(path, text, name);
  if (numbers === undefined) {
    const word = wordPattern(name, "");
    const uses = lines.flatMap((line, index) => {
      return line.includes(name) && word.test(line) ? [{ line: index + 1, text: line, declares: false }] : [];
    });
    return { path, uses };
  }
  const symbols = numbers.length > 0 ? ((await parser.symbols(path, text)) ?? []) : [];
  const declared = new Set(symbols.filter((symbol) => symbol.name === name).map((symbol) => nameLine(lines, symbol)));
  const uses = numbers.map((line) => {
    const inside = declarationAround(symbols, line, declared.has(line) ? name : undefined);
    const use = { line, text: lines[line - 1] ?? "", declares: declared.has(line) };
    return inside === undefined ? use : { ...use, inside };
  });
  return { path, uses };
}

/** The line that names a declaration, after its decorators. */
function nameLine(lines: readonly string[], { name, start, end }: SourceSymbol): number {
  const word = wordPattern(name, "");
  const at = lines.slice(start - 1, end).findIndex((line) => word.test(line));
  return start + Math.max(0, at);
}

/** Puts sources first: what is cut then says less. */
function sourceFirst<T extends { path: string }>(files: readonly T[]): T[] {
  const isSource = ({ path }: T) => groupOf(path) === "source";
  return [...files.filter(isSource), ...files.filter((file) => !isSource(file))];
}
