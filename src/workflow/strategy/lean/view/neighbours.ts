import type { Span } from "../../../../edits/numbered.ts";
import { holdsDeclarations, type SourceSymbol } from "../../../../ports/source-parser.ts";
import type { ParsedFile } from "./parsed-file.ts";

/** Matches whole words only: linear on a line of one long word. */
const NAME_CALLED = String.raw`([\p{L}_$][\p{L}\p{N}_$]{2,80})(?![\p{L}\p{N}_$])\s{0,20}\(`;
const CALL = new RegExp(String.raw`(?<![\p{L}\p{N}_$])${NAME_CALLED}`, "gu");

/** Calls of a function or an own method, not of methods of other objects. */
const OWN_CALL = new RegExp(
  String.raw`(?<![\p{L}\p{N}_$.>:])(?:\$?(?:this|self|cls|Self)(?:\.#?|->|::))?${NAME_CALLED}`,
  "gu",
);

/** The names that are called, in order. */
export const callsIn = (text: string, pattern = CALL): ReadonlySet<string> =>
  new Set([...text.matchAll(pattern)].map(([, name = ""]) => name));

/** A function that shown code calls is shown whole up to this many lines, a longer one by its signature. */
const MAX_HELPER_LENGTH = 30;

const SIGNATURE = 2;

const MAX_CALLEES = 8;

/** The short functions of a file that are called elsewhere. */
export const helpersIn = ({ symbols }: ParsedFile, called: ReadonlySet<string>): readonly Span[] =>
  symbols.filter(({ name, start, end }) => called.has(name) && end > start && end - start < MAX_HELPER_LENGTH);

/** Finds what the named declarations of a file call and read in it, and what uses them. */
export function neighboursOf(file: ParsedFile, named: readonly Span[], scores: readonly number[]): readonly Span[] {
  const { lines, symbols } = file;
  const text = named.map(({ start, end }) => lines.slice(start - 1, end).join("")).join("\n");
  const functions = functionsOf(symbols);
  const firstByName = new Map(
    functions
      .filter(({ start }) => !isIn(named, start))
      .map((one) => [one.name, one] as const)
      .reverse(),
  );
  const calleesOf = (names: ReadonlySet<string>) =>
    [...names]
      .flatMap((name) => firstByName.get(name) ?? [])
      .slice(0, MAX_CALLEES)
      .map(({ start, end }) => ({ start, end: end - start < MAX_HELPER_LENGTH ? end : start + SIGNATURE }));
  // A method of another object may only share the name.
  const [own, all] = [calleesOf(callsIn(text, OWN_CALL)), calleesOf(callsIn(text))];
  return [...own, ...valuesOf(file, named, scores), ...usersOf(file, named), ...all];
}

const isIn = (spans: readonly Span[], at: number) => spans.some(({ start, end }) => start <= at && at <= end);

const functionsOf = (symbols: readonly SourceSymbol[]) =>
  symbols.filter((one) => !one.stub && one.end > one.start && !holdsDeclarations(one.kind));

const holderOf = (at: number, functions: readonly SourceSymbol[]) =>
  functions.filter(({ start, end }) => start < at && at <= end).sort((a, b) => b.start - a.start)[0];

const MAX_USERS = 4;

/** A function that uses what is named is shown whole up to this many lines. */
const MAX_USER_LENGTH = 24;

/** Where a file calls its named functions, or mentions its named constants and fields. */
function usersOf({ lines, symbols }: ParsedFile, named: readonly Span[]): readonly Span[] {
  const functions = functionsOf(symbols);
  const inNamed = ({ start, end }: Span) => isIn(named, start) && isIn(named, end);
  const own = new Set(functions.filter(inNamed).map(({ name }) => name));
  const values = new Set(
    symbols
      .filter((one) => VALUE.has(one.kind) && inNamed(one))
      .slice(0, MAX_VALUES)
      .filter(({ start }) => !holderOf(start, functions))
      .map(({ name }) => name),
  );
  const declared = new Set(symbols.filter(({ name }) => own.has(name)).map(({ start }) => start));
  const using = lines.flatMap((line, index) => {
    if (declared.has(index + 1) || isIn(named, index + 1)) return [];
    const calls = own.size > 0 && [...callsIn(line)].some((name) => own.has(name));
    const mentions =
      values.size > 0 && line.length <= MAX_LINE && (line.match(WORD) ?? []).some((word) => values.has(word));
    return calls || mentions ? [index + 1] : [];
  });
  return using.slice(0, MAX_USERS).flatMap((at) => {
    const holder = holderOf(at, functions);
    const lines = { start: at - 1, end: at + 1 };
    if (!holder) return [lines];
    if (holder.end - holder.start < MAX_USER_LENGTH) return [{ start: holder.start, end: holder.end }];
    return [{ start: holder.start, end: holder.start }, lines];
  });
}

/** Constants that shown code reads, and functions that set its fields, are shown up to this many lines. */
const MAX_CONSTANT_LENGTH = 6;

const MAX_SETTER_LENGTH = 40;

const MAX_VALUES = 8;

const MAX_SETS = 2;

/** A generated file sets thousands of fields. */
const MAX_SETTERS = 200;

/** A longer line is data. */
const MAX_LINE = 2_000;

/** An own field in languages with `this`, `self` or `@`. */
const FIELD = /(?:@{1,2}|\b(?:this|self)\.#?)([\p{L}_][\p{L}\p{N}_]{2,80})(\s{0,20}(?:\|\||&&|\?\?)?=(?![=~>]))?/gu;

const WORD = /(?<![\p{L}\p{N}_$])[\p{L}_$][\p{L}\p{N}_$]{2,80}(?![\p{L}\p{N}_$])/gu;

/** Where a file sets what its named functions read: short constants, then setters of fields, nearest first. */
function valuesOf({ lines, symbols }: ParsedFile, named: readonly Span[], scores: readonly number[]): readonly Span[] {
  const text = named.map(({ start, end }) => lines.slice(start - 1, end).join("")).join("\n");
  const words = new Set(text.match(WORD));
  const constants = symbols
    .filter(({ name, kind, parent, start, end }) => {
      const isShort = end - start < MAX_CONSTANT_LENGTH;
      return isShort && parent === undefined && VALUE.has(kind) && words.has(name) && !isIn(named, start);
    })
    .map(({ start, end }) => ({ start, end }));
  const read = new Set([...text.matchAll(FIELD)].flatMap(([, name = "", sets]) => (sets ? [] : [name])));
  const setIn = lines.flatMap((line, index) => {
    if (read.size === 0 || line.length > MAX_LINE || !line.includes("=") || isIn(named, index + 1)) return [];
    return [...line.matchAll(FIELD)].flatMap(([, name = "", sets]) =>
      sets !== undefined && read.has(name) ? [{ name, at: index + 1 }] : [],
    );
  });
  // A field that is set all over the file is plain state: its setters explain little.
  const times = new Map<string, number>();
  for (const { name } of setIn) times.set(name, (times.get(name) ?? 0) + 1);
  const once = setIn.filter(({ name }) => (times.get(name) ?? 0) <= MAX_SETS).slice(0, MAX_SETTERS);
  const functions = functionsOf(symbols);
  const setters = new Map(once.map(({ at }) => setterAt(at, functions)).map((one) => [one.start, one] as const));
  const nearness = ({ start, end }: Span) => Math.max(...scores.slice(start - 1, end));
  const nearest = [...setters.values()].sort((a, b) => nearness(b) - nearness(a));
  return [...constants, ...nearest].slice(0, MAX_VALUES);
}

/** The function around a line that sets a field if it is short, else the line. */
function setterAt(at: number, functions: readonly SourceSymbol[]): Span {
  const holder = holderOf(at, functions);
  const isShort = holder && holder.end - holder.start < MAX_SETTER_LENGTH;
  return isShort ? { start: holder.start, end: holder.end } : { start: at, end: at };
}

const VALUE: ReadonlySet<string> = new Set(["constant", "variable", "field"]);
