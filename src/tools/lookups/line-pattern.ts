import { RE2JS, RE2JSException } from "re2js";

/** What lines are tested with. */
export interface LinePattern {
  readonly test: (line: string) => boolean;
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
    return compile(translated, requiredLiterals(written), ignoreCase);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    if (/\\(?:[1-9]|k<)/.test(written)) {
      return { reason: "Back references such as \\1 cannot be used here: search without them." };
    }
    return { ...compile(RE2JS.quote(written), [written], ignoreCase), fault: error.message };
  }
}

function compile(pattern: string, literals: readonly string[] | undefined, ignoreCase: boolean): LinePattern {
  const compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  return {
    test: (line) => compiled.test(line),
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
