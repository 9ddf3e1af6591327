import { splitLines } from "../../../code/edits/text-file.ts";
import type { SourceSymbol } from "../../../code/source-parser.ts";
import { isCode } from "../../../search/path-rules.ts";
import { createPacer } from "../../../text/next-turn.ts";
import { listed } from "../../../text/patterns.ts";
import { findHolders, type Holder, parsingWork, splitName, wordPattern } from "./holders.ts";
import { DECLARATIONS, shownOf } from "./left-out.ts";
import { type Refusal, type SelectedPaths, selectPaths } from "./paths.ts";
import type { LookupContext, WorkLimits } from "./snapshot-files.ts";

/** A name as models write it; `path`: a file, folder or glob to look in, everywhere without it. */
export interface NameQuestion {
  readonly name: string;
  readonly path?: string | undefined;
}

/** Where a name is declared. */
export interface FoundSymbols {
  readonly name: string;
  /** `Class` of `Class.method` */
  readonly owner?: string | undefined;
  readonly meant: SelectedPaths;
  /** implementations first, then signatures */
  readonly declarations: readonly FoundDeclaration[];
  /** no declaration has this very name; these differ by case */
  readonly inOtherCase: boolean;
  /** files with the word that were not parsed, beyond the limit of work */
  readonly left: number;
  /** all files with the word, and how many were searched */
  readonly holders: readonly string[];
  readonly looked: number;
}

/** Finds the declarations of a name, those of the owner only if it has any. */
export async function findSymbol(context: LookupContext, question: NameQuestion): Promise<FoundSymbols | Refusal> {
  const split = splitName(question.name);
  if (!split) return { reason: `${question.name} is no name: give the name of a declaration, or use search.` };
  const meant = selectPaths(context.files, question.path);
  if ("reason" in meant) return meant;
  const { name, owner } = split;
  const paths = question.path === undefined ? [...meant.paths, ...shownOf(context.files, DECLARATIONS)] : meant.paths;
  const holders = await findHolders(context, paths, name);
  const common = { name, owner, meant, holders: holders.map(({ path }) => path), looked: paths.length };
  const exact = orderHolders(holders, name, context.limits);
  const found = await findDeclarations(context, exact.chosen, name, (declared) => declared === name);
  if (found.length > 0) {
    const owned = found.filter(({ parent }) => parent === owner);
    const fitting = owner !== undefined && owned.length > 0 ? owned : found;
    return { ...common, declarations: implementedFirst(fitting), inOtherCase: false, left: exact.left };
  }
  const lower = name.toLowerCase();
  const alike = orderHolders(await findHolders(context, paths, name, true), name, context.limits);
  const similar = await findDeclarations(context, alike.chosen, name, (declared) => declared.toLowerCase() === lower);
  return { ...common, declarations: similar, inOtherCase: similar.length > 0, left: alike.left };
}

/** Puts signatures last: `.d.ts` and `.pyi` files, prototypes, abstract methods. */
function implementedFirst(found: readonly FoundDeclaration[]): readonly FoundDeclaration[] {
  const isStub = ({ stub, path }: FoundDeclaration) => stub === true || STUB_FILE.test(path);
  return [...found.filter((one) => !isStub(one)), ...found.filter(isStub)];
}

const STUB_FILE = /\.(?:pyi|d\.[cm]?ts)$/;

/** A declaration and where it is. `byText`: found without a grammar. */
export interface FoundDeclaration extends SourceSymbol {
  readonly path: string;
  /** the line that names it */
  readonly text: string;
  readonly byText: boolean;
}

/** Finds declarations whose name passes `fits`, in path order; by the look of lines in files without a grammar. */
async function findDeclarations(
  { parser }: LookupContext,
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
    } else if (isCode(path.toLowerCase())) found.push(...byText(path, lines, name));
    await pause(text.length * 20);
  }
  return found;
}

/** The line that names a declaration says more than the decorators it begins with. */
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

interface OrderedHolders {
  /** those worth parsing within the limit, likely declarations first */
  readonly chosen: readonly Holder[];
  /** how many are left out because of the limit */
  readonly left: number;
}

/** Chooses what to parse of many files: first those with a line that looks like the declaration. */
function orderHolders(holders: readonly Holder[], name: string, { parsedBytes }: WorkLimits): OrderedHolders {
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

const KEYWORD = listed(
  String.raw`(?:^|[\s;({])`,
  String.raw`
  def defp defn defmacro defmodule class object interface trait protocol extension struct enum record union
  type typealias data newtype module namespace package fun func fn function sub proc method
  let var val const macro local declare create\s+(?:or\s+replace\s+)?\w+ message service rpc`,
  String.raw`\s+(?:[\w.<>?*&]+[\s.])?$`,
  "i",
);

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
