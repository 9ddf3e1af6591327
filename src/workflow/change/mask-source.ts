import type { SourceParser, SourceSpan } from "../../ports/source-parser.ts";

/** A program's text. In `code` blanks replace comments and the insides of strings; every position stays. */
export interface MaskedSource {
  /** as in the repository */
  readonly path: string;
  readonly text: string;
  readonly code: string;
  readonly comments: readonly { readonly text: string; readonly line: number }[];
}

/** Masks a program by its grammar, or else by the quotes and comments of most languages. */
export async function maskSource(path: string, text: string, parser: SourceParser): Promise<MaskedSource> {
  const spans = (await parser.spans(path, text)) ?? plainSpans(path, text);
  const parts: string[] = [];
  const comments: { text: string; line: number }[] = [];
  let [at, line] = [0, 1];
  const upTo = (end: number) => {
    line += text.slice(at, end).split("\n").length - 1;
    at = end;
  };
  for (const { kind, start, end } of spans) {
    parts.push(text.slice(at, start));
    upTo(start);
    const own = text.slice(start, end);
    if (kind === "comment") comments.push({ text: own, line });
    const inner = kind === "comment" ? own : own.slice(1, -1);
    const blank = inner.replace(/[^\n]/g, " ");
    parts.push(kind === "comment" ? blank : `${own.slice(0, 1)}${blank}${own.length > 1 ? own.slice(-1) : ""}`);
    upTo(end);
  }
  return { path, text, code: parts.join("") + text.slice(at), comments };
}

const C_LIKE = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/g;

const HASH_LIKE = /#[^\n]*|"""[\s\S]*?(?:"""|$)|"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\\n]|\\.)*'?/g;

function plainSpans(path: string, text: string): SourceSpan[] {
  const found = text.matchAll(/\.(?:exs?|rb|py|rake)$/i.test(path) ? HASH_LIKE : C_LIKE);
  return [...found].map(({ 0: own, index }) => ({
    kind: /^(?:\/[/*]|#)/.test(own) ? "comment" : "string",
    start: index,
    end: index + own.length,
  }));
}

/** Finds the 1-based line of a position by binary search, because a hostile file asks for thousands. */
export function lineFinder(text: string): (at: number) => number {
  const breaks: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) breaks.push(at);
  return (at) => {
    let [low, high] = [0, breaks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((breaks[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

/** Characters still to be read in a program: nested or unclosed text would cost its square. */
export interface Fuel {
  left: number;
}

/** Where the lines above begin that belong to a declaration: attributes, annotations and decorators, with arguments. */
export function withAttributes(code: string, from: number, fuel: Fuel): number {
  const line = code.lastIndexOf("\n", from - 1) + 1;
  const indent = /^[ \t]*/.exec(code.slice(line, line + MAX_ATTRIBUTES))?.[0].length ?? 0;
  let start = line;
  for (; start > 0 && from - start < MAX_ATTRIBUTES; fuel.left -= 40) {
    const above = code.lastIndexOf("\n", start - 2) + 1;
    const own = code.slice(above, start - 1);
    const depth = /^[ \t]*/.exec(own)?.[0].length ?? 0;
    const belongs =
      own.trim() !== "" && (/^\s*(?:@|\[|#\[|[)\]])/.test(own) || (depth > indent && isInAttribute(code, above)));
    if (!belongs) break;
    start = above;
  }
  fuel.left -= from - start;
  return start;
}

/** Characters of the attributes above a declaration. */
const MAX_ATTRIBUTES = 4_000;

/** A line of arguments: some line before it opens an attribute, and none in between is empty. */
function isInAttribute(code: string, at: number): boolean {
  const block = code.slice(Math.max(0, code.lastIndexOf("\n\n", at), at - MAX_ATTRIBUTES), at);
  return /^[ \t]*(?:@|#?\[)[^\n]*[([{,][ \t]*$/m.test(block);
}

/** Characters of one test. */
const MAX_SPAN = 50_000;

const PAIRS: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]" };

/** The end of what opens at `at`; undefined if nothing closes it. */
export function closing(code: string, at: number, fuel: Fuel): number | undefined {
  const close = PAIRS[code[at] ?? ""];
  const last = Math.min(code.length, at + Math.min(MAX_SPAN, fuel.left));
  let [depth, index] = [0, at];
  for (; index < last; index++) {
    if (code[index] === code[at]) depth++;
    else if (code[index] === close && --depth === 0) break;
  }
  fuel.left -= index - at;
  return index < last ? index + 1 : undefined;
}

/** The line break before the first line below `from` that fits, at most a test's longest length away. */
function breakBefore(code: string, from: number, fuel: Fuel, fits: (line: string) => boolean): number | undefined {
  const last = from + Math.min(MAX_SPAN, fuel.left);
  for (let at = code.indexOf("\n", from); at >= 0 && at < last; ) {
    const next = code.indexOf("\n", at + 1);
    const isFound = fits(code.slice(at + 1, next < 0 ? code.length : next));
    fuel.left -= (next < 0 ? code.length : next) - at;
    if (isFound) return at;
    at = next;
  }
  return undefined;
}

/** Where something was found, and where the text after its own words begins. */
interface Found {
  readonly start: number;
  readonly after: number;
}

export const skipBlanks = (code: string, at: number) => at + (/^\s*/.exec(code.slice(at, at + 400))?.[0].length ?? 0);

export function endOfCall(path: string, code: string, { start, after }: Found, fuel: Fuel): number | undefined {
  if (/\.(?:rb|exs?)$/i.test(path)) return endOfRubyBlock(code, start, fuel);
  let at = skipBlanks(code, after);
  let end: number | undefined;
  while (code[at] === "(" || code[at] === "`" || (code[at] === "{" && end !== undefined)) {
    const close = code[at] === "`" ? code.indexOf("`", at + 1) + 1 : closing(code, at, fuel);
    if (close === undefined || close === 0) return end;
    const isBody = code[at] === "{";
    end = close;
    if (isBody) break;
    at = skipBlanks(code, close);
  }
  return end;
}

const indentAt = (code: string, at: number) => {
  const line = code.lastIndexOf("\n", at - 1) + 1;
  return /^[ \t]*/.exec(code.slice(line, at))?.[0] ?? "";
};

/** To the `end` at the indentation of the beginning; for a block in braces to its brace; none without a body. */
function endOfRubyBlock(code: string, start: number, fuel: Fuel): number | undefined {
  const eol = code.indexOf("\n", start) < 0 ? code.length : code.indexOf("\n", start);
  const head = code.slice(start, eol);
  if (!/\bdo\b|^def\b/.test(head)) {
    const brace = head.indexOf("{");
    return brace < 0 ? undefined : closing(code, start + brace, fuel);
  }
  const end = `${indentAt(code, start)}end`;
  const at = breakBefore(code, eol, fuel, (line) => line.startsWith(end) && !/\w/.test(line[end.length] ?? ""));
  return at === undefined ? undefined : at + 1 + end.length;
}

export function endOfFunction(path: string, code: string, { start, after }: Found, fuel: Fuel): number | undefined {
  if (/\.(?:rb|exs?)$/i.test(path)) return endOfRubyBlock(code, start, fuel);
  if (/\.pyi?$/i.test(path)) return endOfIndented(code, start, fuel);
  const brace = code.indexOf("{", after);
  const stop = code.indexOf(";", after);
  return brace < 0 || (stop >= 0 && stop < brace) ? undefined : closing(code, brace, fuel);
}

function endOfIndented(code: string, start: number, fuel: Fuel): number {
  const indent = indentAt(code, start).length;
  const head = Math.max(start, code.indexOf(":", code.indexOf(")", start)));
  const isOut = (line: string) => /^[^\s)]/.test(line.trimStart()) && line.length - line.trimStart().length <= indent;
  return breakBefore(code, head, fuel, isOut) ?? Math.min(code.length, start + MAX_SPAN);
}
