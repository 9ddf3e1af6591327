import type { SourceParser, SourceSpan } from "../../ports/source-parser.ts";

/** A program's text: `code` has the insides of strings, and comments whole, as blanks; every position stays. */
export interface MaskedSource {
  /** as in the repository */
  readonly path: string;
  readonly text: string;
  readonly code: string;
  readonly comments: readonly { readonly text: string; readonly line: number }[];
}

/** Masks a program by its grammar, and where there is none by the quotes and comments that most languages have. */
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
