import { z } from "zod";
import { splitLines } from "../edits/text-file.ts";
import type { Tool } from "../llm/toolset.ts";
import type { SourceSymbol } from "../ports/source-parser.ts";
import { CODE } from "../search/path-rules.ts";
import { defineTool, type ToolContext, type ToolLimits } from "./context.ts";
import { findHolders, type Holder, parsingWork, type SplitName, splitName, wordPattern } from "./lookups/holders.ts";
import { besideOf, DECLARATIONS } from "./lookups/left-out.ts";
import { createPacer } from "./lookups/pacer.ts";
import { selectPaths } from "./lookups/paths.ts";
import { shorten, showMatches } from "./matches.ts";

const shape = z.object({
  name: z.string(),
  path: z.string().optional().describe("only in this file, folder or glob"),
});

/** `find_symbol`: where a name is declared. */
export function createFindSymbolTool(context: ToolContext): Tool {
  return defineTool({
    name: "find_symbol",
    description: "Where a name (or Class.method) is declared: path, lines, kind. `read` by symbol shows it whole.",
    shape,
    run: async ({ name: written, path }) => {
      const split = splitName(written);
      if (!split) return `${written} is no name: give the name of a declaration, or use search.`;
      const selected = selectPaths(context.files, path);
      if ("reason" in selected) return selected.reason;
      const beside = path === undefined ? besideOf(context.files, DECLARATIONS) : [];
      const told = await answer(context, split, [...selected.paths, ...beside]);
      return selected.note ? `${told}\n${selected.note}` : told;
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
    const chosen = implementedFirst(owned.length > 0 ? owned : found);
    return [...note, told(chosen, exact.left, context.limits)].join("\n");
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

/** What says what is done, then signatures: those of `.d.ts` and `.pyi` files, prototypes and what is abstract. */
function implementedFirst(found: readonly FoundDeclaration[]): readonly FoundDeclaration[] {
  const isStub = ({ stub, path }: FoundDeclaration) => stub === true || STUB_FILE.test(path);
  return [...found.filter((one) => !isStub(one)), ...found.filter(isStub)];
}

const STUB_FILE = /\.(?:pyi|d\.[cm]?ts)$/;

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

function line(
  { path, start, end, kind, parent, text, byText, by, stub }: FoundDeclaration,
  limits: ToolLimits,
): string {
  const lines = start === end ? `${start}` : `${start}-${end}`;
  const owner = parent === undefined ? "" : ` in ${parent}`;
  const how = byText ? " (text search: no grammar for this language)" : "";
  const more = `${by === undefined ? "" : `, by ${by}`}${stub ? ", signature only" : ""}`;
  return `${path}:${lines} ${kind}${owner}${more}${how}: ${shorten(text.trim(), limits.lineCharacters)}`;
}

/** A declaration and where it is; `byText` when no grammar told. */
export interface FoundDeclaration extends SourceSymbol {
  readonly path: string;
  /** the line that names it */
  readonly text: string;
  readonly byText: boolean;
}

/** Declarations in `holders` whose name passes `fits`, in path order. Files without a grammar are looked through by lines. */
async function findDeclarations(
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
  const named = lines.slice(start - 1, end).filter((line) => word.test(line));
  return named.find((line) => !/^\s*@/.test(line)) ?? named[0] ?? lines[start - 1] ?? "";
}

function byText(path: string, lines: readonly string[], name: string): FoundDeclaration[] {
  return lines.flatMap((text, index) =>
    isDeclarationLine(text, name)
      ? [{ path, name, kind: "declaration", start: index + 1, end: index + 1, text, byText: true }]
      : [],
  );
}

export interface OrderedHolders {
  /** those worth parsing within the limit, likely declarations first */
  readonly chosen: readonly Holder[];
  /** how many are left out because of the limit */
  readonly left: number;
}

/** Chooses what to parse when a name stands in many files: where a line looks like its declaration comes first. */
function orderHolders(holders: readonly Holder[], name: string, { parsedBytes }: ToolLimits): OrderedHolders {
  const total = holders.reduce((sum, { text }) => sum + parsingWork(text), 0);
  if (total <= parsedBytes) return { chosen: holders, left: 0 };
  const likely = holders.filter(({ text }) => text.split("\n").some((line) => isDeclarationLine(line, name)));
  const ordered = [...likely, ...holders.filter((holder) => !likely.includes(holder))];
  let room = parsedBytes;
  const chosen = ordered.filter(({ text }) => {
    room -= parsingWork(text);
    return room >= 0;
  });
  return { chosen, left: holders.length - chosen.length };
}

const KEYWORD =
  /(?:^|[\s;({])(?:def|defp|defn|defmacro|defmodule|class|object|interface|trait|protocol|extension|struct|enum|record|union|type|typealias|data|newtype|module|namespace|package|fun|func|fn|function|sub|proc|method|let|var|val|const|macro|local|declare|create\s+(?:or\s+replace\s+)?\w+|message|service|rpc)\s+(?:[\w.<>?*&]+[\s.])?$/i;

/**
 * Whether a line of a language without a grammar looks as if it declared `name`: a word that declares stands before
 * it, or the line begins with it and `=`, `:` or `() {` follow.
 */
function isDeclarationLine(line: string, name: string): boolean {
  if (!line.includes(name)) return false;
  const at = line.search(wordPattern(name, ""));
  if (at < 0) return false;
  const before = line.slice(0, at);
  if (KEYWORD.test(before.slice(-80))) return true;
  const after = line.slice(at + name.length, at + name.length + 80);
  return before.trim() === "" && /^\s*(?::?=(?!=)|::?(?=\s)|\(\)\s*\{)/.test(after);
}
