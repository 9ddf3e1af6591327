import { z } from "zod";
import { splitLines } from "../edits/text-file.ts";
import type { Tool } from "../llm/toolset.ts";
import type { SourceParser, SourceSymbol } from "../ports/source-parser.ts";
import { classifyFile } from "../search/classify-file.ts";
import { defineTool, type ToolContext, type ToolLimits } from "./context.ts";
import { findHolders, type Holder, parsingWork, splitName, wordPattern } from "./lookups/holders.ts";
import { createPacer } from "./lookups/pacer.ts";
import { selectPaths } from "./lookups/paths.ts";
import { shorten, showMatches } from "./matches.ts";

const shape = z.object({
  name: z.string(),
  path: z.string().optional().describe("only in this file, folder or glob"),
});

/** `find_references`: where a name is used. */
export function createFindReferencesTool(context: ToolContext): Tool {
  return defineTool({
    name: "find_references",
    description: "Lines that use a name, without comments and strings, and the function that each is in.",
    shape,
    run: async ({ name: written, path }) => {
      const split = splitName(written);
      if (!split) return `${written} is no name: give the name of a declaration, or use search.`;
      const selected = selectPaths(context.files, path);
      if ("reason" in selected) return selected.reason;
      const holders = await findHolders(context, selected.paths, split.name);
      const { note = "", beside = note } = selected;
      if (holders.length === 0)
        return `${split.name} stands in none of ${selected.paths.length} files.${beside && `\n${beside}`}`;
      const { files, left } = await usesIn(context, sourceFirst(holders), split.name);
      return `${told(split.name, files, left, context.limits)}${note && `\n${note}`}`;
    },
  });
}

async function usesIn({ parser, limits }: ToolContext, holders: readonly Holder[], name: string) {
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

/** Where a grammar told comes first: the rest is documents and configuration, mostly. */
function told(name: string, files: readonly FileUses[], left: number, limits: ToolLimits): string {
  const used = files.filter(({ uses }) => uses.length > 0);
  const ordered = [...used.filter(({ byText }) => !byText), ...used.filter(({ byText }) => byText)];
  const shown = ordered.map(({ path, uses, byText }) => ({
    path,
    lines: uses.map((use) => line(path, use, byText, limits)),
  }));
  const count = used.reduce((sum, { uses }) => sum + uses.length, 0);
  const declarations = used.reduce((sum, { uses }) => sum + uses.filter(({ declares }) => declares).length, 0);
  const head =
    count === 0
      ? `${name} stands in ${files.length} files, but only in comments or strings: use search to see them.`
      : `${count} ${count === 1 ? "line" : "lines"} in ${used.length} ${used.length === 1 ? "file" : "files"}, ${declarations} of them declarations:`;
  const rest = left > 0 ? [`${left} more files hold the name and were not looked at: narrow with path.`] : [];
  return [head, ...(count > 0 ? [showMatches(shown, limits)] : []), ...rest].join("\n");
}

function line(path: string, { line, text, inside, declares }: FoundUse, byText: boolean, limits: ToolLimits): string {
  const marks = [declares ? "declaration" : "", inside ? `in ${inside}` : "", byText ? "text search" : ""];
  const mark = marks.filter((part) => part !== "").join(", ");
  return `${path}:${line}: ${shorten(text.trim(), limits.lineCharacters)}${mark && `  [${mark}]`}`;
}

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

/** Program text first, then tests, documents and the rest, both in the order given: what is cut is then what says less. */
function sourceFirst<T extends { readonly path: string }>(files: readonly T[]): T[] {
  const rest: T[] = [];
  const source = files.filter((file) => {
    const isSource = classifyFile({ path: file.path, mode: "100644", size: 1 }).group === "source";
    if (!isSource) rest.push(file);
    return isSource;
  });
  return [...source, ...rest];
}
