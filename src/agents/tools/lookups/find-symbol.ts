import { splitLines } from "../../../code/edits/text-file.ts";
import type { SourceSymbol } from "../../../code/source-parser.ts";
import { groupOf } from "../../../search/classify-file.ts";
import { declarationsOf, looksDeclaring, nameDeclared } from "../../../search/declarations.ts";
import { holdsSignatures } from "../../../search/imports.ts";
import { createPacer } from "../../../text/next-turn.ts";
import { VALUES } from "./declaration-around.ts";
import { DECLARATIONS, shownOf } from "./left-out.ts";
import { findHolders, type Holder, MAX_LENGTH, parsingWork, splitName, wordPattern } from "./names.ts";
import { type Refusal, type SelectedPaths, selectPaths } from "./paths.ts";
import type { LookupContext, WorkLimits } from "./snapshot-files.ts";

/** A name as models write it; `path`: a file, folder or glob to look in, everywhere without it. */
export interface NameQuestion {
  name: string;
  path?: string | undefined;
}

/** Where a name is declared. */
export interface FoundSymbols {
  name: string;
  /** `Class` of `Class.method`, if none of the declarations belongs to it */
  otherThan?: string | undefined;
  meant: SelectedPaths;
  /** implementations first, then signatures; of each, those in sources first, and values last */
  declarations: readonly FoundDeclaration[];
  /** no declaration has this very name; these differ by case */
  inOtherCase: boolean;
  /** files with the word that were not parsed, beyond the limit of work */
  left: number;
  /** all files with the word, and how many were searched */
  holders: readonly string[];
  looked: number;
}

/** Finds the declarations of a name, those of the owner (a class, module or package) only if it has any. */
export async function findSymbol(context: LookupContext, question: NameQuestion): Promise<FoundSymbols | Refusal> {
  const whole = question.name.trim();
  if (whole.length > MAX_LENGTH)
    return { reason: `The name is longer than ${MAX_LENGTH} characters: search for a part of it.` };
  // The name of a test is a sentence.
  const split =
    splitName(nameDeclared(whole) ?? whole) ?? (/\w/.test(whole) ? { name: whole, owner: undefined } : undefined);
  if (!split) return { reason: `"${whole}" is no name: give the name of a declaration, or use search.` };
  const meant = selectPaths(context.files, question.path);
  if ("reason" in meant) return meant;
  const { name, owner } = split;
  const paths =
    meant.paths === context.files.paths ? [...meant.paths, ...shownOf(context.files, DECLARATIONS)] : meant.paths;
  const holders = await findHolders(context, paths, name);
  const common = { name, meant, holders: holders.map(({ path }) => path), looked: paths.length };
  const exact = orderHolders(holders, name, context.limits);
  const found = await findDeclarations(context, exact.chosen, (declared) => declared === name || declared === whole);
  if (found.length > 0) {
    const owned = owner === undefined ? found : ofOwner(found, owner);
    const [declarations, otherThan] = owned.length > 0 ? [owned, undefined] : [found, owner];
    return { ...common, otherThan, declarations: tellingFirst(declarations), inOtherCase: false, left: exact.left };
  }
  const lower = name.toLowerCase();
  const alike = orderHolders(await findHolders(context, paths, name, true), name, context.limits);
  const similar = await findDeclarations(context, alike.chosen, (declared) => declared.toLowerCase() === lower);
  return { ...common, declarations: tellingFirst(similar), inOtherCase: similar.length > 0, left: alike.left };
}

/** Those in a class of that name; else those at the top of a file or folder of that name: a module or package. */
function ofOwner(found: readonly FoundDeclaration[], owner: string): readonly FoundDeclaration[] {
  const inClass = found.filter(({ parent }) => parent === owner);
  const isModule = (part = "") => part.replace(/\.[^.]*$/, "") === owner;
  return inClass.length > 0
    ? inClass
    : found.filter(({ path, parent }) => parent === undefined && path.split("/").slice(-2).some(isModule));
}

/** Puts signatures last (`.d.ts` and `.pyi` files, prototypes, abstract methods), before them what is no source, and values. */
function tellingFirst(found: readonly FoundDeclaration[]): readonly FoundDeclaration[] {
  const rankOf = ({ stub, path, kind }: FoundDeclaration) => {
    const isStub = stub === true || holdsSignatures(path);
    return (isStub ? 4 : 0) + (groupOf(path) === "source" ? 0 : 2) + (VALUES.has(kind) ? 1 : 0);
  };
  return found.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** A declaration and where it is. */
export interface FoundDeclaration extends SourceSymbol {
  path: string;
  /** the line that names it */
  text: string;
}

/** Finds declarations whose name passes `fits`, in path order. */
async function findDeclarations(
  { parser }: LookupContext,
  holders: readonly Holder[],
  fits: (declared: string) => boolean,
): Promise<FoundDeclaration[]> {
  const pause = createPacer();
  const found: FoundDeclaration[] = [];
  for (const { path, text } of [...holders].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const lines = splitLines(text);
    const fitting = ((await declarationsOf(path, lines, parser)) ?? []).filter((symbol) => fits(symbol.name));
    found.push(...fitting.map((symbol) => ({ ...symbol, path, text: namingLine(lines, symbol) })));
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

interface OrderedHolders {
  /** those worth parsing within the limit, likely declarations first */
  chosen: readonly Holder[];
  /** how many are left out because of the limit */
  left: number;
}

/** Chooses what to parse of many files: first those with a line that looks like the declaration. */
function orderHolders(holders: readonly Holder[], name: string, { parsedBytes }: WorkLimits): OrderedHolders {
  const total = holders.reduce((sum, { text }) => sum + parsingWork(text), 0);
  if (total <= parsedBytes) return { chosen: holders, left: 0 };
  const likely = holders.filter(({ text }) =>
    text.split("\n").some((line) => line.includes(name) && looksDeclaring(line)),
  );
  const ordered = [...likely, ...holders.filter((holder) => !likely.includes(holder))];
  let room = parsedBytes;
  const chosen = ordered.filter(({ text }) => {
    room -= parsingWork(text);
    return room >= 0;
  });
  return { chosen, left: holders.length - chosen.length };
}
