import { z } from "zod";
import type { Tool } from "../llm/tool.ts";
import { defineTool } from "./define-tool.ts";
import { type FoundDeclaration, findDeclarations } from "./find-declarations.ts";
import { findHolders } from "./find-holders.ts";
import { orderHolders } from "./order-holders.ts";
import { selectPaths } from "./select-paths.ts";
import { shorten } from "./shorten.ts";
import { showMatches } from "./show-matches.ts";
import { type SplitName, splitName } from "./split-name.ts";
import type { ToolContext } from "./tool-context.ts";
import type { ToolLimits } from "./tool-limits.ts";

const shape = z.object({
  name: z.string().describe("Exact name of a function, class, method, type or constant; Class.method narrows."),
  path: z.string().optional().describe("Only in this file, folder or glob."),
});

/** `find_symbol`: where a name is declared. */
export function createFindSymbolTool(context: ToolContext): Tool {
  return defineTool({
    name: "find_symbol",
    description:
      "Finds where a name is declared: path, lines of the whole declaration, kind, what it belongs to, and the line that names it. In languages without a grammar, lines that look like declarations.",
    shape,
    run: async ({ name: written, path }) => {
      const split = splitName(written);
      if (!split) return `${written} is no name: give the name of a declaration, or use search.`;
      const selected = selectPaths(context.files, path);
      return "reason" in selected ? selected.reason : answer(context, split, selected.paths);
    },
  });
}

async function answer(context: ToolContext, { name, owner }: SplitName, paths: readonly string[]): Promise<string> {
  const holders = await findHolders(context, paths, name);
  const exact = orderHolders(holders, name, context.limits);
  const found = await findDeclarations(context, exact.chosen, name, (declared) => declared === name);
  if (found.length > 0) {
    const owned = owner === undefined ? [] : found.filter(({ parent }) => parent === owner);
    const note = owner !== undefined && owned.length === 0 ? [`None belongs to ${owner}; by its name alone:`] : [];
    return [...note, told(owned.length > 0 ? owned : found, exact.left, context.limits)].join("\n");
  }
  const lower = name.toLowerCase();
  const alike = orderHolders(await findHolders(context, paths, name, true), name, context.limits);
  const similar = await findDeclarations(context, alike.chosen, name, (declared) => declared.toLowerCase() === lower);
  if (similar.length > 0) return `No ${name}, but in other case:\n${told(similar, alike.left, context.limits)}`;
  if (holders.length === 0) return `${name} stands in none of ${paths.length} files: search for a part of it.`;
  const [first] = holders;
  const where = holders.length === 1 ? `only ${first?.path}` : `${holders.length} files, the first ${first?.path}`;
  return `No declaration of ${name} was found. The word stands in ${where}: use find_references or search.`;
}

function told(found: readonly FoundDeclaration[], left: number, limits: ToolLimits): string {
  const files = new Map<string, string[]>();
  for (const declaration of found) {
    const lines = files.get(declaration.path);
    if (lines) lines.push(line(declaration, limits));
    else files.set(declaration.path, [line(declaration, limits)]);
  }
  const shown = showMatches(
    [...files].map(([path, lines]) => ({ path, lines })),
    limits,
  );
  return left > 0 ? `${shown}\n${left} more files hold the name and were not parsed: narrow with path.` : shown;
}

function line({ path, start, end, kind, parent, text, byText }: FoundDeclaration, limits: ToolLimits): string {
  const lines = start === end ? `${start}` : `${start}-${end}`;
  const owner = parent === undefined ? "" : ` in ${parent}`;
  const how = byText ? " (text search: no grammar for this language)" : "";
  return `${path}:${lines} ${kind}${owner}${how}: ${shorten(text.trim(), limits.lineCharacters)}`;
}
