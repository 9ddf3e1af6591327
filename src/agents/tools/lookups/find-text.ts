import { RE2JS, RE2JSException } from "re2js";
import { splitLines, stripTerminator } from "../../../code/edits/text-file.ts";
import type { SourceSymbol } from "../../../code/source-parser.ts";
import { createPacer } from "../../../text/next-turn.ts";
import { declarationAround } from "./declaration-around.ts";
import { SNAPSHOT_OR_DECLARATION, shownOf } from "./left-out.ts";
import { type Refusal, type SelectedPaths, selectPaths } from "./paths.ts";
import type { LookupContext } from "./snapshot-files.ts";

/** A regular expression (RE2); `path`: a file, folder or glob to look in, everywhere without it. */
export interface TextQuestion {
  pattern: string;
  path?: string | undefined;
  ignoreCase?: boolean | undefined;
}

/** The lines that match. */
export interface FoundText {
  meant: SelectedPaths;
  /** in path order */
  files: readonly FileLines[];
  /** in a search of all files: left-out snapshots and declarations that match, too */
  elsewhere: readonly FileLines[];
  /** how many of the paths were searched within the limit of work */
  looked: number;
  /** lines of which only the beginning was searched, without a match */
  cut: number;
  /** the pattern matches nothing as a regular expression, so it was taken as plain text */
  asText: boolean;
  /** why it is no regular expression, so it was taken as plain text */
  fault?: string | undefined;
}

export interface FileLines {
  path: string;
  lines: readonly FoundLine[];
}

/** Finds the lines that match. `foo(bar)` rarely means a group: without a match it is taken as plain text. */
export async function findText(
  context: LookupContext,
  { pattern, path, ignoreCase = false }: TextQuestion,
): Promise<FoundText | Refusal> {
  const meant = selectPaths(context.files, path);
  if ("reason" in meant) return meant;
  const compiled = compilePattern(pattern, ignoreCase);
  if ("reason" in compiled) return compiled;
  const others = path === undefined ? shownOf(context.files, SNAPSHOT_OR_DECLARATION) : [];
  const search = async (by: LinePattern, asText: boolean): Promise<FoundText> => {
    const found = await searchFiles(context, meant.paths, by);
    const elsewhere = (await searchFiles(context, others, by)).files;
    return { ...found, meant, elsewhere, asText, fault: by.fault };
  };
  const found = await search(compiled, false);
  if (isFound(found)) return withDeclarations(found, context);
  if (compiled.fault !== undefined || !SPECIAL.test(pattern)) return found;
  const asText = await search(plainPattern(pattern, ignoreCase), true);
  return isFound(asText) ? withDeclarations(asText, context) : found;
}

/** Files whose matches are given with the declarations around them. */
const MAX_PARSED = 8;

/** Names the test or function around each match, in the first files with a grammar and in the one with most matches. */
async function withDeclarations(found: FoundText, { files, parser, limits }: LookupContext): Promise<FoundText> {
  const [fullest] = [...found.files].sort((a, b) => b.lines.length - a.lines.length);
  let work = 0;
  const named: FileLines[] = [];
  for (const [at, file] of found.files.entries()) {
    const bytes = at < MAX_PARSED || file === fullest ? await files.searchable(file.path) : undefined;
    if (bytes) work += Math.min(bytes.length, limits.parsedBytes);
    const isWithin = bytes !== undefined && work <= limits.parsedBytes;
    const symbols = isWithin ? await parser.symbols(file.path, bytes.toString("utf8")) : undefined;
    named.push({ path: file.path, lines: file.lines.map((line) => placed(line, symbols ?? [])) });
  }
  return { ...found, files: named };
}

/** A line that begins a declaration is not said to be in it. */
function placed(found: FoundLine, symbols: readonly SourceSymbol[]): FoundLine {
  const around = symbols.filter(({ start }) => start !== found.line);
  const declares = symbols.find(({ start }) => start === found.line)?.name;
  return { ...found, inside: declarationAround(around, found.line), declares };
}

const isFound = ({ files, elsewhere }: FoundText) => files.length + elsewhere.length > 0;

const SPECIAL = /[()[\]{}*+?.^$|\\]/;

/** A line that was found. */
export interface FoundLine {
  /** 1-based */
  line: number;
  text: string;
  /** the part of it that matches */
  matched: string;
  /** the declaration around, and the one that begins here, where they were looked for */
  inside?: string | undefined;
  declares?: string | undefined;
}

/** Longer lines are tested up to this length. */
const MAX_LINE_LENGTH = 20_000;

/** Searches files in order. Only lines with a required literal are tested. */
async function searchFiles(
  { files, limits }: LookupContext,
  paths: readonly string[],
  pattern: LinePattern,
): Promise<Pick<FoundText, "files" | "looked" | "cut">> {
  const pause = createPacer();
  const found: FileLines[] = [];
  let work = 0;
  let cut = 0;
  for (const [index, path] of paths.entries()) {
    if (work > limits.searchedBytes) return { files: found, looked: index, cut };
    const bytes = await files.searchable(path);
    if (bytes === undefined) continue;
    const lines: FoundLine[] = [];
    let before = 0;
    for (const piece of mayMatch(bytes, pattern) ? piecesOf(bytes) : []) {
      const tested = linesIn(piece.toString("utf8"), pattern, before);
      for (const line of tested.lines) lines.push(line);
      before += tested.count;
      cut += tested.cut;
      work += tested.work;
      await pause(piece.length + tested.work);
    }
    if (lines.length > 0) found.push({ path, lines });
    work += bytes.length;
    await pause(bytes.length);
  }
  return { files: found, looked: paths.length, cut };
}

/** Bytes of a piece of a large file. */
const PIECE = 1_000_000;

const NEWLINE = 10;

/** Splits a file into pieces of whole lines. The last piece has a newline if any has. */
function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start + PIECE);
    const end = newline < 0 || !bytes.includes(NEWLINE, newline + 1) ? bytes.length : newline + 1;
    yield bytes.subarray(start, end);
    start = end;
  }
}

function mayMatch(bytes: Buffer, { literals, ignoreCase }: LinePattern): boolean {
  if (literals === undefined) return true;
  if (!ignoreCase) return literals.some((literal) => bytes.includes(literal));
  const text = bytes.toString("utf8").toLowerCase();
  return literals.some((literal) => text.includes(literal.toLowerCase()));
}

/** The lines of a piece that match; `before`: the number of the lines in the pieces before it. */
function linesIn(text: string, { literals, ignoreCase, matchIn, weight }: LinePattern, before: number) {
  const required = ignoreCase ? undefined : literals;
  const lines: FoundLine[] = [];
  let tested = 0;
  let cut = 0;
  const all = splitLines(text.replace(/^\uFEFF/, "")).map(stripTerminator);
  for (const [index, line] of all.entries()) {
    if (required && !required.some((literal) => line.includes(literal))) continue;
    const shown = line.length > MAX_LINE_LENGTH ? line.slice(0, MAX_LINE_LENGTH) : line;
    tested += shown.length;
    const matched = matchIn(shown);
    if (matched !== undefined) lines.push({ line: before + index + 1, text: line, matched });
    else if (shown !== line) cut += 1;
  }
  return { lines, work: Math.floor(tested * weight), count: all.length, cut };
}

/** What lines are tested with. */
interface LinePattern {
  /** the first match; undefined when there is none */
  matchIn: (line: string) => string | undefined;
  /** a line that matches holds one of these, in the case given unless `ignoreCase` */
  literals?: readonly string[] | undefined;
  ignoreCase: boolean;
  /** what a character costs to test, at least 1 */
  weight: number;
  /** why it is no regular expression, and was taken as plain text */
  fault?: string;
}

const MAX_LENGTH = 500;

/** Instructions of a compiled pattern that cost about what reading a character does. */
const FREE_INSTRUCTIONS = 40;

/**
 * Compiles what a model wrote with RE2, which takes linear time. Lookaround and back references are refused in words;
 * what is no regular expression otherwise is taken as plain text.
 */
function compilePattern(written: string, ignoreCase: boolean): LinePattern | { reason: string } {
  if (written.trim() === "") return { reason: "The pattern is empty." };
  if (written.length > MAX_LENGTH)
    return { reason: `The pattern is longer than ${MAX_LENGTH} characters: give a part of it.` };
  if (/\(\?<?[=!]/.test(written)) {
    return { reason: "Lookahead and lookbehind, (?=…) (?!…) (?<=…) (?<!…), cannot be used here: search without them." };
  }
  try {
    const translated = RE2JS.translateRegExp(written);
    return compile(translated, requiredLiterals(written), ignoreCase);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    if (/\\(?:[1-9]|k<)/.test(written)) {
      return { reason: "Back references such as \\1 cannot be used here: search without them." };
    }
    return { ...plainPattern(written, ignoreCase), fault: error.message };
  }
}

const plainPattern = (text: string, ignoreCase: boolean) => compile(RE2JS.quote(text), [text], ignoreCase);

function compile(pattern: string, literals: LinePattern["literals"], ignoreCase: boolean): LinePattern {
  const compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  return {
    matchIn: (line) => {
      if (!compiled.test(line)) return undefined;
      const match = compiled.matcher(line);
      return match.find() ? (match.group() ?? "") : "";
    },
    literals,
    ignoreCase,
    weight: Math.max(1, compiled.programSize() / FREE_INSTRUCTIONS),
  };
}

const MIN_LENGTH = 2;

/**
 * Texts of which a line must hold one for `pattern` to match it: the longest run of letters, digits and blanks of each
 * alternative. Undefined when an alternative has none, and for groups, classes and counts, which are not read here.
 */
export function requiredLiterals(pattern: string): string[] | undefined {
  const plain = pattern.replace(/\\(.)/gsu, (_, char: string) => (/[^\w]|[bBdDwWsS]/.test(char) ? "\n" : "("));
  if (/[()[{]/.test(plain)) return undefined;
  // What stands before ? or * may be absent.
  const runs = plain.split("|").map((one) => one.replace(/.[?*]/gsu, "\n").split(/[^\p{L}\p{N}_ ]/u));
  const literals = runs.map((of) => of.reduce((best, run) => (run.length > best.length ? run : best), ""));
  return literals.every((literal) => literal.length >= MIN_LENGTH) ? literals : undefined;
}
