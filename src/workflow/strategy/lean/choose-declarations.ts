import { firstCodeLine } from "../../../edits/numbered.ts";
import { holdsDeclarations, type SourceSymbol } from "../../../ports/source-parser.ts";
import { hitsOf } from "./locate.ts";

/** Lines, 1-based, both inclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A file of which parts are to be chosen, and what the Custodian has named of it. */
export interface ParsedFile {
  readonly lines: readonly string[];
  readonly symbols: readonly SourceSymbol[];
  readonly names: readonly string[];
}

/** What an issue says, as far as it decides which declarations are shown. */
interface Said {
  /** identifiers anywhere in it, and those that it writes as code */
  readonly said: ReadonlySet<string>;
  readonly exact: ReadonlySet<string>;
  /** for each line of the file */
  readonly scores: readonly number[];
}

/** Lines of a class that the Custodian names, and of the head of a longer one; functions are shown whole. */
const MAX_CHOSEN_LENGTH = 90;

const HEAD_OF_LONG = 24;

/** Lines of the comment above a declaration: what it says changes with it. */
const MAX_COMMENT = 14;

const ABOVE = /^\s*(?:\/\/|\/?\*|#(?!\s*(?:include|define|if|endif|region))|--|@\w|#\[|\[\w)/;

/** The declarations that the Custodian has named, in its order, each with the comment above it. */
export function namedDeclarations({ lines, symbols, names }: ParsedFile): readonly Span[] {
  const named = names.flatMap((written) => namedBy(written, symbols));
  const unique = named.filter((one, at) => named.indexOf(one) === at);
  return unique.map(({ start, end, kind }) => {
    // Of a long class its head; its methods are named themselves.
    const long = holdsDeclarations(kind) && end - start >= MAX_CHOSEN_LENGTH;
    let first = start;
    while (first > 1 && start - first < MAX_COMMENT && ABOVE.test(lines[first - 2] ?? "")) first -= 1;
    return { start: first, end: long ? start + HEAD_OF_LONG : end };
  });
}

/** The declaration that is meant by a name as a model writes it: `Class.method`, `mod::name`, `name()`. */
function namedBy(written: string, symbols: readonly SourceSymbol[]): readonly SourceSymbol[] {
  const parts = written
    .replace(/\(.*$/s, "")
    .split(/\.|::|#/)
    .filter((part) => part.trim() !== "prototype");
  const [owner, name] = [parts.at(-2)?.trim(), parts.at(-1)?.trim()];
  const named = symbols.filter((symbol) => symbol.name === name);
  const owned = named.filter(({ parent }) => parent === owner);
  const fitting = owned.length > 0 ? owned : named;
  const [best] = [...fitting.filter(({ stub }) => !stub), ...fitting];
  // A name says nothing of which of several overloads is meant.
  return best ? [best, ...fitting.filter((one) => isOverload(one, best)).slice(0, MAX_OVERLOADS)] : [];
}

const MAX_OVERLOADS = 5;

const isOverload = (one: SourceSymbol, best: SourceSymbol) =>
  one !== best && !one.stub && one.parent === best.parent && one.kind === best.kind;

/** Lines of the imports that a file begins with. */
const MAX_IMPORTS = 30;

/** The beginning of a file has its imports: up to its first function or class. */
export function beginningOf({ lines, symbols }: ParsedFile): Span {
  const start = firstCodeLine(lines);
  const first = symbols.find((one) => one.start >= start && one.end > one.start + 1);
  const end = Math.min(start + MAX_IMPORTS, Math.max(start, (first?.start ?? lines.length + 1) - 1));
  return { start, end };
}

/** Whole words alone are tried, so that a line of one long word takes no longer than another. */
const CALL = /(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]{2,80})(?![\p{L}\p{N}_$])\s{0,20}\(/gu;

/** The names that stand before a bracket, in their order. */
export const callsIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(CALL)].map(([, name = ""]) => name));

/** Lines of a function that is shown whole because shown code calls it; of a longer one its first lines. */
const MAX_HELPER_LENGTH = 30;

const SIGNATURE = 2;

const MAX_CALLEES = 8;

const MAX_CALLERS = 4;

/** What the named functions of a file call in it, the fields and constants that they read, and where it calls them. */
export function neighboursOf(file: ParsedFile, named: readonly Span[]): readonly Span[] {
  const { lines, symbols } = file;
  const inNamed = (at: number) => named.some(({ start, end }) => start <= at && at <= end);
  const text = named.map(({ start, end }) => lines.slice(start - 1, end).join("")).join("\n");
  const functions = symbols.filter((one) => !one.stub && one.end > one.start && !holdsDeclarations(one.kind));
  const firstByName = new Map(
    functions
      .filter(({ start }) => !inNamed(start))
      .map((one) => [one.name, one] as const)
      .reverse(),
  );
  const callees = [...callsIn(text)]
    .flatMap((name) => firstByName.get(name) ?? [])
    .slice(0, MAX_CALLEES)
    .map(({ start, end }) => ({ start, end: end - start < MAX_HELPER_LENGTH ? end : start + SIGNATURE }));
  const own = new Set(functions.filter(({ start, end }) => inNamed(start) && inNamed(end)).map(({ name }) => name));
  const declared = new Set(symbols.filter(({ name }) => own.has(name)).map(({ start }) => start));
  const calling = lines.flatMap((line, index) => {
    const isCall = !declared.has(index + 1) && !inNamed(index + 1) && [...callsIn(line)].some((name) => own.has(name));
    return isCall ? [index + 1] : [];
  });
  const callers = calling.slice(0, MAX_CALLERS).flatMap((at) => {
    const [holder] = functions.filter(({ start, end }) => start < at && at <= end).sort((a, b) => b.start - a.start);
    return [...(holder ? [{ start: holder.start, end: holder.start }] : []), { start: at - 1, end: at + 1 }];
  });
  return [...callees, ...valuesOf(file, named), ...callers];
}

/** Lines of a constant that is shown because shown code reads it, and of a function that is shown whole for the field that it sets. */
const MAX_CONSTANT_LENGTH = 6;

const MAX_SETTER_LENGTH = 40;

const MAX_VALUES = 6;

/** A field as the languages write it that have a word or a sign for one's own. */
const FIELD = /(?:@{1,2}|\b(?:this|self)\.#?)([\p{L}_][\p{L}\p{N}_]{2,80})(\s{0,20}(?:\|\||&&|\?\?)?=(?![=~>]))?/gu;

const WORD = /(?<![\p{L}\p{N}_$.])[\p{L}_$][\p{L}\p{N}_$]{2,80}(?![\p{L}\p{N}_$])/gu;

/** Where a file sets what its named functions read: short constants, and the functions that set a field, but for those named. */
function valuesOf({ lines, symbols }: ParsedFile, named: readonly Span[]): readonly Span[] {
  const inNamed = (at: number) => named.some(({ start, end }) => start <= at && at <= end);
  const text = named.map(({ start, end }) => lines.slice(start - 1, end).join("")).join("\n");
  const words = new Set(text.match(WORD));
  const constants = symbols
    .filter(({ name, kind, parent, start, end }) => {
      const isShort = end - start < MAX_CONSTANT_LENGTH;
      return isShort && parent === undefined && VALUE.has(kind) && words.has(name) && !inNamed(start);
    })
    .map(({ start, end }) => ({ start, end }));
  const read = new Set([...text.matchAll(FIELD)].flatMap(([, name = "", sets]) => (sets ? [] : [name])));
  const setIn = lines.flatMap((line, index) => {
    const sets = [...line.matchAll(FIELD)].some(([, name = "", is]) => is !== undefined && read.has(name));
    return sets && !inNamed(index + 1) ? [index + 1] : [];
  });
  const setters = setIn.map((at): Span => {
    const [holder] = symbols
      .filter(({ start, end, kind }) => start < at && at <= end && !holdsDeclarations(kind))
      .sort((a, b) => b.start - a.start);
    const isShort = holder && holder.end - holder.start < MAX_SETTER_LENGTH;
    return isShort ? { start: holder.start, end: holder.end } : { start: at, end: at };
  });
  const unique = [...new Map(setters.map((one) => [one.start, one] as const)).values()];
  return [...constants.slice(0, MAX_VALUES), ...unique.slice(0, MAX_VALUES)];
}

const VALUE: ReadonlySet<string> = new Set(["constant", "variable"]);

/** The short functions of a file that code elsewhere calls by these names. */
export const helpersIn = ({ symbols }: ParsedFile, called: ReadonlySet<string>): readonly Span[] =>
  symbols.filter(({ name, start, end }) => called.has(name) && end > start && end - start < MAX_HELPER_LENGTH);

/** Lines of a function that is shown whole when it is only to be known; of a longer one what is nearest to the issue. */
const MAX_KNOWN_LENGTH = 40;

const HEAD_OF_KNOWN = 4;

const NEAREST = 2;

const AROUND_NEAREST = 5;

/** Of long declarations their beginnings, and around the lines in them that have most to do with the issue. */
export function nearestParts(spans: readonly Span[], scores: readonly number[]): readonly Span[] {
  return spans.flatMap(({ start, end }) => {
    if (end - start < MAX_KNOWN_LENGTH) return [{ start, end }];
    const inside = scores.slice(start - 1, end).map((score, at) => ({ score, at: start + at }));
    const best = inside.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.at - b.at);
    const near = best.slice(0, NEAREST).map(({ at }) => ({
      start: Math.max(start, at - AROUND_NEAREST),
      end: Math.min(end, at + AROUND_NEAREST),
    }));
    return [{ start, end: start + HEAD_OF_KNOWN }, ...near];
  });
}

/** Lines of a declaration that is shown because the issue names it. */
const MAX_SPOKEN_LENGTH = 60;

const SMALL: ReadonlySet<string> = new Set(["constant", "field", "variable", "property", "type"]);

/** What has the lines nearest to the issue, then what the issue speaks of. */
export function foundDeclarations({ lines, symbols }: ParsedFile, { said, exact, scores }: Said): readonly Span[] {
  const spoken = symbols
    .filter(({ name, start, end }) => said.has(name) && end - start < MAX_SPOKEN_LENGTH)
    // A word of a sentence is often the name of some small thing, too.
    .filter(({ name, kind, stub }) => !stub && (!SMALL.has(kind) || exact.has(name)));
  return [...withFunctions(hitsOf(lines, scores), symbols), ...spoken];
}

/** Lines around one that was found where no function is around it, or a very long one. */
const AROUND = 8;

const MAX_FOUND_LENGTH = 90;

/** Lines of a function in which several were found: parts from its middle say less than they seem to. */
const MAX_OFTEN_FOUND_LENGTH = 220;

/** Each function in which lines were found, or what is around those, in their order. */
function withFunctions(hits: readonly number[], symbols: readonly SourceSymbol[]): readonly Span[] {
  const functionAt = (at: number) =>
    symbols
      .filter(({ start, end, kind }) => start <= at && at <= end && end > start && !holdsDeclarations(kind))
      .sort((a, b) => a.end - a.start - (b.end - b.start))[0];
  const inner = hits.map(functionAt);
  return hits.map((at, index) => {
    const own = inner[index];
    const length = own ? own.end - own.start : Number.POSITIVE_INFINITY;
    const often = inner.filter((other) => other === own).length > 1;
    const fits = own && length < (often ? MAX_OFTEN_FOUND_LENGTH : MAX_FOUND_LENGTH);
    return fits ? own : { start: at - AROUND, end: at + AROUND };
  });
}
