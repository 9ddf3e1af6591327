import { RE2JS, RE2JSException } from "re2js";
import { requiredLiterals } from "./required-literals.ts";

/** What lines are tested with. */
export interface LinePattern {
  readonly test: (line: string) => boolean;
  /** a line that matches holds one of these, in the case given unless `ignoreCase` */
  readonly literals?: readonly string[];
  readonly ignoreCase: boolean;
  /** what a character costs to test, at least 1 */
  readonly weight: number;
  /** how the pattern was understood, when not as written */
  readonly note?: string;
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
    const note = `Not a regular expression (${error.message}): searched as plain text.`;
    return { ...compile(RE2JS.quote(written), [written], ignoreCase), note };
  }
}

function compile(pattern: string, literals: readonly string[] | undefined, ignoreCase: boolean): LinePattern {
  const compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  return {
    test: (line) => compiled.test(line),
    ...(literals && { literals }),
    ignoreCase,
    weight: Math.max(1, compiled.programSize() / FREE_INSTRUCTIONS),
  };
}
