import { z } from "zod";
import type { Tool } from "../../models/toolset.ts";
import { defineTool, type ToolLimits, type ToolOptions } from "./define-tool.ts";
import type { FoundDeclaration, FoundSymbols } from "./lookups/find-symbol.ts";
import type { Lookups } from "./lookups/lookups.ts";
import { type FileMatches, shorten, showMatches } from "./matches.ts";

const shape = z.object({
  name: z.string(),
  path: z.string().optional(),
});

/** `find_symbol`: where a name is declared. */
export function createFindSymbolTool(lookups: Lookups, { limits }: ToolOptions): Tool {
  return defineTool({
    name: "find_symbol",
    description: "Where a name or Class.method is declared.",
    shape,
    run: async (question) => {
      const found = await lookups.findSymbol(question);
      if ("reason" in found) return found.reason;
      const { note } = found.meant;
      return note ? `${inWords(found, limits)}\n${note}` : inWords(found, limits);
    },
  });
}

function inWords(found: FoundSymbols, limits: ToolLimits): string {
  const { name, owner, declarations, inOtherCase, holders, looked } = found;
  if (declarations.length > 0) {
    const isOthers = owner !== undefined && !inOtherCase && declarations.every(({ parent }) => parent !== owner);
    const heads = [
      inOtherCase ? `No ${name}, but in other case:` : "",
      isOthers ? `None belongs to ${owner}; by its name alone:` : "",
    ];
    return [...heads.filter((head) => head !== ""), showDeclarations(found, limits)].join("\n");
  }
  const [first] = holders;
  if (first === undefined) return `${name} stands in none of ${looked} files: search for a part of it.`;
  const where = holders.length === 1 ? `only ${first}` : `${holders.length} files, the first ${first}`;
  return `No declaration of ${name} was found. The word stands in ${where}: use find_references or search.`;
}

function showDeclarations({ declarations, left }: FoundSymbols, limits: ToolLimits): string {
  const files = new Map<string, FileMatches["lines"][number][]>();
  for (const declaration of declarations) {
    const lines = files.get(declaration.path) ?? [];
    lines.push(line(declaration, limits));
    files.set(declaration.path, lines);
  }
  const shown = showMatches(
    [...files].map(([path, lines]) => ({ path, lines })),
    limits,
  );
  return left > 0 ? `${shown}\n${left} more files hold the name and were not parsed: narrow with path.` : shown;
}

function line({ start, end, kind, parent, text, by, stub }: FoundDeclaration, limits: ToolLimits) {
  const lines = start === end ? `${start}` : `${start}-${end}`;
  const owner = parent === undefined ? "" : ` in ${parent}`;
  const more = `${by === undefined ? "" : `, by ${by}`}${stub ? ", signature only" : ""}`;
  return {
    line: start,
    at: lines,
    text: `${kind}${owner}${more}: ${shorten(text.trim(), limits.lineCharacters)}`,
  };
}
