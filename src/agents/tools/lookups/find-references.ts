import { splitLines } from "../../../code/edits/text-file.ts";
import type { SourceParser, SourceSymbol } from "../../../code/source-parser.ts";
import { groupOf } from "../../../search/classify-file.ts";
import { createPacer } from "../../../text/next-turn.ts";
import { declarationAround } from "./declaration-around.ts";
import type { NameQuestion } from "./find-symbol.ts";
import { findHolders, type Holder, parsingWork, splitName, wordPattern } from "./names.ts";
import { type Refusal, type SelectedPaths, selectPaths } from "./paths.ts";
import type { LookupContext } from "./snapshot-files.ts";

/** Where a name is used. */
export interface FoundReferences {
  name: string;
  meant: SelectedPaths;
  /** the files with the word, sources first; without uses if it is only in comments and strings */
  files: readonly FileUses[];
  /** further files with the word, beyond the limit of work */
  left: number;
}

/** Finds the uses of a name, without comments and strings if there is a grammar. */
export async function findReferences(
  context: LookupContext,
  question: NameQuestion,
): Promise<FoundReferences | Refusal> {
  const split = splitName(question.name);
  if (!split) return { reason: `${question.name} is no name: give the name of a declaration, or use search.` };
  const meant = selectPaths(context.files, question.path);
  if ("reason" in meant) return meant;
  const holders = await findHolders(context, meant.paths, split.name);
  return { name: split.name, meant, ...(await usesIn(context, sourceFirst(holders), split.name)) };
}

async function usesIn({ parser, limits }: LookupContext, holders: readonly Holder[], name: string) {
  const pause = createPacer();
  const files: FileUses[] = [];
  let work = 0;
  for (const [index, holder] of holders.entries()) {
    work += parsingWork(holder.text);
    if (work > limits.parsedBytes && index > 0) return { files, left: holders.length - index };
    files.push(await findUses(parser, holder, name));
    await pause(holder.text.length * 20);
  }
  return { files, left: 0 };
}

/** A line on which a name is used. */
export interface FoundUse {
  line: number;
  text: string;
  /** the nearest declaration around, when known */
  inside?: string;
  declares: boolean;
}

/** The uses of a name in one file. `byText`: without a grammar, so comments and strings count, too. */
export interface FileUses {
  path: string;
  byText: boolean;
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
    return { path, byText: true, uses };
  }
  const symbols = numbers.length > 0 ? ((await parser.symbols(path, text)) ?? []) : [];
  const declared = new Set(symbols.filter((symbol) => symbol.name === name).map((symbol) => nameLine(lines, symbol)));
  const uses = numbers.map((line) => {
    const inside = declarationAround(symbols, line, declared.has(line) ? name : undefined);
    const use = { line, text: lines[line - 1] ?? "", declares: declared.has(line) };
    return inside === undefined ? use : { ...use, inside };
  });
  return { path, byText: false, uses };
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
