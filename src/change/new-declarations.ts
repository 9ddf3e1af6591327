import type { Difference } from "../code/edits/file-change.ts";
import {
  holdsDeclarations,
  type ImportedModule,
  isTestKind,
  type SourceParser,
  type SourceSymbol,
} from "../code/source-parser.ts";
import { beginningAbove } from "../search/declarations.ts";

/** An edit of a program: what it takes away of the base, and what it adds. */
interface ProgramEdit {
  path: string;
  edit: Difference;
  /** 1-based lines of the old version that are gone and not free */
  lost: readonly number[];
  /** 1-based lines of the new version that the base does not have */
  added: readonly number[];
  /** the program before and after */
  were: Program;
  are: Program;
}

/**
 * Whether an edit only adds whole declarations, and the imports that they need, and so leaves all tests that were there
 * as they were: nothing new has a name that the file used already, none runs around other tests or in their place, and
 * none but a test stands inside of another declaration.
 */
export function onlyDeclares({ path, edit, lost, added, were, are }: ProgramEdit): boolean {
  const isInside = were.declarations.some(({ from, end, isGroup }) => !isGroup && from <= edit.to && edit.from < end);
  const isAdded = ({ start, end }: Lines) => edit.newFrom < start && end <= edit.newTo;
  const whole = are.declarations.filter(isAdded);
  const outer = whole.filter((one) => !whole.some((other) => other !== one && holds(other, one)));
  const fresh = outer.filter((one) => {
    if (isInside && one.kind !== "case") return false;
    return !reachesOthers(one, are.lines) && (one.isTitled || !were.words.has(one.name));
  });
  const rest = added.filter((line) => !fresh.some(({ from, end }) => from <= line && line <= end));
  const isImport = (line: number, { imports }: Program) =>
    imports.some(({ start, end }) => start <= line && line <= end);
  if (!rest.every((line) => isImport(line, are)) || !lost.every((line) => isImport(line, were))) return false;
  const brought = are.imports.filter(isAdded);
  if (lost.length > 0) return extendsImports(lost, rest, were, are);
  const within = rest.filter((line) => !brought.some(({ start, end }) => start <= line && line <= end));
  return brought.every((one) => isHarmless(one, path, were, are)) && extendsImports([], within, were, are);
}

type Lines = Pick<Declaration, "start" | "end">;

const holds = (outer: Lines, { start, end }: Lines) =>
  outer.start <= start && end <= outer.end && outer.end - outer.start > end - start;

/** By its name: what a framework calls around tests, or reads. */
const CALLED = /^(?:test_?main|init|set_?up|tear_?down|before|after|pytest|collect_ignore|load_tests|__)/i;

/** By the words in front: the same as an attribute, and a test that makes others stand back. */
const ANNOUNCED = /\b(?:only|focus|before|after|set_?up|tear_?down|one_?time|autouse|\w*initiali[sz]e|\w*cleanup)/i;

function reachesOthers(declaration: Declaration, lines: readonly string[]): boolean {
  const { name, from, start, end } = declaration;
  const until = lines.slice(start - 1, end).findIndex((line) => line.includes(name));
  const head = lines
    .slice(from - 1, start + Math.max(0, until))
    .join("")
    .replace(name, "");
  return (!declaration.isTitled && CALLED.test(name)) || ANNOUNCED.test(head);
}

/** Whether lines of imports only bring further names, of which none means something already, and no other marks. */
function extendsImports(lost: readonly number[], added: readonly number[], were: Program, are: Program): boolean {
  const marks = marksOf(added, are);
  if (marks === undefined || marks !== marksOf(lost, were)) return false;
  const wordsOf = (rows: readonly number[], { lines }: Program) => rows.flatMap((row) => wordsIn(lines[row - 1] ?? ""));
  const wanted = wordsOf(lost, were);
  let kept = 0;
  const further = wordsOf(added, are).filter((word) => {
    if (word !== wanted[kept]) return true;
    kept += 1;
    return false;
  });
  const named = new Set(are.imports.flatMap(({ names }) => names));
  return kept === wanted.length && further.every((word) => named.has(word) && !were.words.has(word));
}

/** What lines hold but words, commas and whole pairs of brackets; undefined where a bracket stays open: `/*` or `{`. */
function marksOf(rows: readonly number[], { lines }: Program): string | undefined {
  const marks = rows
    .map((row) => lines[row - 1] ?? "")
    .join("")
    .replace(/[\p{L}\p{N}_$\s,]/gu, "");
  const count = (mark: string) => marks.split(mark).length;
  if (count("{") !== count("}") || count("(") !== count(")")) return undefined;
  return marks.replace(/[{}()]/g, "");
}

/** Words that imports are written with, in all languages. */
const KEYWORDS: ReadonlySet<string> = new Set(
  "import from use using require require_relative static type as const let var include default crate function".split(
    " ",
  ),
);

/** Whether a new import's lines say nothing else, and it brings no name that the file used already. */
function isHarmless({ from, names, start, end }: ImportedModule, path: string, were: Program, are: Program): boolean {
  const text = are.lines.slice(start - 1, end).join("");
  // Python takes the last of two imports of a name, and a star may bring any.
  if (/\.pyi?$/.test(path) && text.includes("*")) return false;
  const [, assigned = "", alone = ""] = /^([^=]*)=|^import\s+(?:type\s+)?(\w+)/.exec(text.trim()) ?? [];
  const aliases = [...text.matchAll(/\bas\s+(\w+)/g)].map((found) => found[1] ?? "");
  const isName = SCRIPT_OR_PYTHON.test(path) ? [alone] : [];
  const bound = [...wordsIn(assigned), ...aliases, ...isName, ...names].filter((word) => !KEYWORDS.has(word));
  const said = new Set([...wordsIn(from), ...bound]);
  const saysMore = wordsIn(text).some((word) => !said.has(word) && !KEYWORDS.has(word));
  return !saysMore && !bound.some((name) => were.words.has(name));
}

const SCRIPT_OR_PYTHON = /\.(?:pyi?|[cm]?[jt]sx?)$/;

/** A declaration in a program, with what stands directly above it. */
export interface Declaration extends SourceSymbol {
  /** 1-based: the first line of its comments and attributes */
  from: number;
  /** it holds others, and is no test itself */
  isGroup: boolean;
  /** Rust's tests, and modules of them */
  isTest: boolean;
  /** a test by its title, or by a macro: the file can use no name that it brings */
  isTitled: boolean;
}

/** A file's declarations and imports; none where its language has no parser. */
export interface Program {
  /** with their ends */
  lines: readonly string[];
  declarations: readonly Declaration[];
  imports: readonly ImportedModule[];
  /** all words of the file */
  words: ReadonlySet<string>;
}

/** Takes a program apart by its lines. Never throws. */
export async function readProgram(path: string, lines: readonly string[], parser: SourceParser): Promise<Program> {
  const text = lines.join("");
  const symbols = (await parser.symbols(path, text)) ?? [];
  const imports = symbols.length > 0 ? ((await parser.imports(path, text)) ?? []) : [];
  const declarations = symbols.map((symbol) => {
    const from = beginningAbove(lines, symbol.start);
    const above = lines.slice(from - 1, symbol.start).join("");
    return {
      ...symbol,
      from,
      isGroup: symbol.kind === "suite" || holdsDeclarations(symbol.kind),
      isTitled: isTestKind(symbol.kind) || isMacroCall(symbol, path, lines),
      isTest: RUST_TEST.test(above) || (symbol.kind === "module" && /^tests?$/.test(symbol.name)),
    };
  });
  return { lines, declarations, imports, words: new Set(wordsIn(text)) };
}

export const wordsIn = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_$]+/gu) ?? [];

/** `TEST(Suite, Name) {`, which the parser takes for a function of the macro's name. */
const isMacroCall = ({ name, start }: SourceSymbol, path: string, lines: readonly string[]): boolean =>
  C_FAMILY.test(path) && /^[A-Z_]+$/.test(name) && (lines[start - 1] ?? "").trimStart().startsWith(`${name}(`);

const C_FAMILY = /\.(?:c|cc|cpp|cxx|hh?|hpp|mm?)$/i;

const RUST_TEST = /#\[(?:[\w:]*test\b|cfg\(test\))/;
