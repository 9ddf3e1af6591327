import type { SourceParser, SourceSymbol } from "../code/source-parser.ts";
import { readList, readWords } from "../data/own-files.ts";
import { isCode } from "./path-rules.ts";

const anyWord = (...kinds: readonly string[]): string =>
  kinds.flatMap((kind) => readWords("declaring-words", kind).flat()).join("|");

/** The line that begins a declaration: modifiers, a word that declares, a name. */
const beginning = (...kinds: readonly string[]): RegExp =>
  new RegExp(String.raw`^([ \t]*)(?:(?:${anyWord("modifier")})\s+)*(${anyWord(...kinds)})[ \t]+([\w.:$@?!']{1,120})`);

const BEGINS = beginning("function", "holder");

const DECLARES = beginning("function", "holder", "value");

const CALLS = new RegExp(`^(?:${anyWord("function")})$`);

/** Whether a line of any language looks as if it declared something. */
export const looksDeclaring = (line: string): boolean => DECLARES.test(line.slice(0, MAX_LINE));

/** The name in the beginning of a declaration, such as `class Shop` or `async def get`; undefined without one. */
export const nameDeclared = (text: string): string | undefined => BEGINS.exec(text)?.[3];

/** A line of a comment, a decorator or an attribute; no directive of a preprocessor. */
const ABOVE = /^\s*(?:\/\/|\/?\*|#(?!\s*(?:include|define|if|endif|region))|--|@\w|#\[|\[\w)/;

/** The last line of a decorator or attribute over several lines. */
const CLOSES_ABOVE = /^(\s*)(?:\)|\]|\}\))/;

/** A longer comment is not of one declaration. */
const MAX_ABOVE = 60;

/** The line where the comment, decorators and attributes directly above a line begin; the line itself without any. */
export function beginningAbove(lines: readonly string[], start: number): number {
  const isAbove = (at: number) => ABOVE.test(lines[at - 1] ?? "");
  let first = start;
  while (first > 1 && start - first < MAX_ABOVE) {
    const indent = CLOSES_ABOVE.exec(lines[first - 2] ?? "")?.[1]?.length;
    let at = first - 1;
    if (indent !== undefined)
      do at -= 1;
      while (at > 1 && start - at < MAX_ABOVE && indentOf(lines[at - 1] ?? "") > indent);
    if (!isAbove(at)) break;
    first = at;
  }
  return first;
}

/** A line at the declaration's own indentation that closes it, or that goes on with its head. */
const CLOSES = /^\s*(?:\}|end\b)/;

const GOES_ON = /^\s*[)\]{]/;

/** Comments and texts over several lines: how the first line begins, and what the last one has. */
const BLOCKS = readList("comment-marks").map((line) => line.split(" ") as [begins: string, ends: string]);

/** Plain words after the name: `class that keeps …`, `function which returns it.` */
const PROSE = /^(?:,| [a-z]{2})[a-z ,'-]*[.;:]?$/;

/** Plain words that belong to a declaration. */
const HEAD = /^ (?:extends|implements|with|permits)\b|\b(?:do|is|as|begin|then|where|end)$/;

/** Characters of a line that are looked at. */
const MAX_LINE = 400;

/** What a file declares: by its grammar, or by the look of its lines; undefined for what is no code. */
export async function declarationsOf(
  path: string,
  lines: readonly string[],
  parser: Pick<SourceParser, "symbols">,
): Promise<readonly SourceSymbol[] | undefined> {
  const symbols = await parser.symbols(path, lines.join(""));
  return symbols ?? (isCode(path.toLowerCase()) ? declarationsByLook(lines) : undefined);
}

/**
 * The functions and types of a text in a language without a grammar, by the look of its lines: a word that declares, a
 * name, and everything that is indented below. Never throws; linear in the text but for nesting.
 */
export function declarationsByLook(lines: readonly string[]): readonly SourceSymbol[] {
  const found: { name: string; kind: string; start: number; end: number; parent?: string; indent: number }[] = [];
  const open: (typeof found)[number][] = [];
  let ends: string | undefined;
  let last = 0;
  const close = (end: number) => {
    const one = open.pop();
    if (one) one.end = end;
  };
  for (const [index, whole] of lines.entries()) {
    const line = whole.slice(0, MAX_LINE).trimEnd();
    const at = index + 1;
    if (ends) {
      if (line.includes(ends)) ends = undefined;
      continue;
    }
    ends = openBlock(line);
    if (ends) continue;
    if (line.trim() === "") continue;
    const indent = indentOf(line);
    while (open.length > 0 && indent < innermost(open)) close(last);
    if (open.length > 0 && indent === innermost(open)) {
      if (CLOSES.test(line)) {
        close(at);
        last = at;
        continue;
      }
      if (!GOES_ON.test(line)) close(last);
    }
    const declared = declaredOn(line);
    if (declared) {
      const one = { ...declared, start: at, end: at, indent, parent: open.at(-1)?.name };
      found.push(one);
      open.push(one);
    }
    last = at;
  }
  while (open.length > 0) close(last);
  return found.map(({ indent: _, ...symbol }) => symbol);
}

/** What a line begins to declare; undefined for prose, and for a type that is only announced. */
function declaredOn(line: string): { name: string; kind: string } | undefined {
  const [beginning = "", , word = "", name = ""] = BEGINS.exec(line) ?? [];
  const isFunction = CALLS.test(word);
  const rest = line.slice(beginning.length);
  const isProse = PROSE.test(rest) && !HEAD.test(rest);
  if (name === "" || isProse || (!isFunction && line.endsWith(";"))) return undefined;
  return { name, kind: isFunction ? "function" : "class" };
}

/** What ends the comment or text that a line begins; undefined if the line ends it, too. */
function openBlock(line: string): string | undefined {
  const text = line.trimStart();
  const opens = ([begins, ends]: (typeof BLOCKS)[number]) => {
    if (begins === ends) return text.split(begins).length % 2 === 0;
    // Not a shell's pattern: `/*)`.
    return text.startsWith(begins) && !text.startsWith(`${begins})`) && !text.includes(ends, begins.length);
  };
  return BLOCKS.find(opens)?.[1];
}

const innermost = (open: readonly { indent: number }[]): number => open.at(-1)?.indent ?? 0;

const indentOf = (line: string): number => line.length - line.trimStart().length;
