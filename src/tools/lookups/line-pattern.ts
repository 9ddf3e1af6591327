import { RE2JS, RE2JSException } from "re2js";

/** What lines are tested with. */
export interface LinePattern {
  readonly test: (line: string) => boolean;
  /** finds the first match in several lines from an offset on; only if the pattern can match the end of a line */
  readonly first?: (text: string, from: number) => { readonly start: number; readonly end: number } | undefined;
  /** a line that matches holds one of these, in the case given unless `ignoreCase` */
  readonly literals?: readonly string[] | undefined;
  readonly ignoreCase: boolean;
  /** what a character costs to test, at least 1 */
  readonly weight: number;
  /** why it is no regular expression, and was taken as plain text */
  readonly fault?: string;
}

const MAX_LENGTH = 500;

/** Instructions of a compiled pattern that cost about what reading a character does. */
const FREE_INSTRUCTIONS = 40;

/**
 * Compiles what a model wrote with RE2, which takes linear time. Lookaround and back references are refused in words;
 * what is no regular expression otherwise is taken as plain text, and so is everything with `plain`.
 */
export function compilePattern(written: string, ignoreCase: boolean, plain = false): LinePattern | { reason: string } {
  if (written.trim() === "") return { reason: "The pattern is empty." };
  if (written.length > MAX_LENGTH)
    return { reason: `The pattern is longer than ${MAX_LENGTH} characters: give a part of it.` };
  if (plain) return compile(RE2JS.quote(written), [written], ignoreCase);
  if (/\(\?<?[=!]/.test(written)) {
    return { reason: "Lookahead and lookbehind, (?=…) (?!…) (?<=…) (?<!…), cannot be used here: search without them." };
  }
  try {
    const translated = RE2JS.translateRegExp(written);
    return compile(translated, requiredLiterals(written), ignoreCase, CAN_END_LINE.test(written));
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    if (/\\(?:[1-9]|k<)/.test(written)) {
      return { reason: "Back references such as \\1 cannot be used here: search without them." };
    }
    return { ...compile(RE2JS.quote(written), [written], ignoreCase), fault: error.message };
  }
}

/** What can match the end of a line: `\n`, white space, a class that excludes some characters, `.` with (?s). */
const CAN_END_LINE = /\\[nrsDWS]|\[\^|\(\?[a-z]*s/;

function compile(
  pattern: string,
  literals: readonly string[] | undefined,
  ignoreCase: boolean,
  canEndLine = false,
): LinePattern {
  const flags = ignoreCase ? RE2JS.CASE_INSENSITIVE : 0;
  const compiled = RE2JS.compile(pattern, flags);
  const overLines = canEndLine ? RE2JS.compile(pattern, flags | RE2JS.MULTILINE) : undefined;
  return {
    test: (line) => compiled.test(line),
    first:
      overLines &&
      ((text, from) => {
        const matcher = overLines.matcher(text);
        return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined;
      }),
    literals,
    ignoreCase,
    weight: Math.max(1, compiled.programSize() / FREE_INSTRUCTIONS),
  };
}

const MIN_LENGTH = 2;

/** Escapes that stand for themselves or for a class of characters, and take nothing of what follows. */
const CLASS = /[bBdDwWsSAznrtfv]/;

/**
 * Texts of which a line must hold one for `pattern` to match it: the longest of each alternative. undefined when there
 * is an alternative without any, or something in the pattern that is not understood here. Never claims too much: a
 * line without them cannot match.
 */
export function requiredLiterals(pattern: string): string[] | undefined {
  if (/\(\?[a-zA-Z-]*[:)]|\\[^\W\dbBdDwWsSAznrtfv_]|\\\d/.test(pattern.replaceAll("(?:", "("))) return undefined;
  const literals: string[] = [];
  let runs: string[] = [""];
  const close = () => {
    const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), "");
    runs = [""];
    literals.push(longest);
  };
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] as string;
    if (char === "|") close();
    else if (char === "(" || char === "[") {
      at = char === "(" ? endOfGroup(pattern, at) : endOfClass(pattern, at);
      runs.push("");
    } else if (/[*?{]/.test(char)) {
      // What stands before may be absent: it is not required.
      runs[runs.length - 1] = (runs.at(-1) as string).replace(/.$/su, "");
      runs.push("");
      if (char === "{") at = Math.max(at, pattern.indexOf("}", at));
    } else if (/[+.^$]/.test(char)) runs.push("");
    else if (char !== "\\") runs[runs.length - 1] += char;
    else if (CLASS.test(pattern[++at] ?? "")) runs.push("");
    else runs[runs.length - 1] += pattern[at] ?? "";
  }
  close();
  return literals.every((literal) => literal.length >= MIN_LENGTH) ? literals : undefined;
}

function endOfClass(pattern: string, from: number): number {
  let at = from + 1;
  if (pattern[at] === "^") at++;
  if (pattern[at] === "]") at++;
  for (; at < pattern.length && pattern[at] !== "]"; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "[" && pattern[at + 1] === ":") at = Math.max(at, pattern.indexOf(":]", at) + 1);
  }
  return at;
}

function endOfGroup(pattern: string, from: number): number {
  let depth = 0;
  for (let at = from; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === "\\") at++;
    else if (char === "[") at = endOfClass(pattern, at);
    else if (char === "(") depth++;
    else if (char === ")" && --depth === 0) return at;
  }
  return pattern.length;
}
