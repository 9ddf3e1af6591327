import { stripVTControlCharacters } from "node:util";
import type { GradeRecipe } from "./instance-schema.ts";

const TAP_LINE = /^[ \t]*(not )?ok \d+ - (.+)$/gm;
const TAP_DIRECTIVE = / # (?:SKIP|TODO)\b.*$/i;
const UNITTEST_LINE = /^(\w+) \(([\w.]+)\)[^\n]* \.\.\. (.+)$/gm;

/**
 * Which tests passed, by name, in the output of a test run: the Test Anything Protocol (https://testanything.org) or
 * `python3 -m unittest --verbose`. Skipped tests did not pass. A name that comes twice passed when it did so each time,
 * so nothing that a program prints can make up for a failure.
 */
export function parseTestReport(output: string, form: GradeRecipe["report"]): Map<string, boolean> {
  const results = new Map<string, boolean>();
  const add = (name: string, passed: boolean) => results.set(name, passed && results.get(name) !== false);
  const text = stripVTControlCharacters(output).replaceAll("\r\n", "\n");
  if (form === "tap") {
    for (const [, not, description = ""] of text.matchAll(TAP_LINE)) {
      const name = description
        .replace(TAP_DIRECTIVE, "")
        .replace(/\\([#\\])/g, "$1")
        .trim();
      add(name, not === undefined && !TAP_DIRECTIVE.test(description));
    }
  } else {
    for (const [, method = "", place = "", result] of text.matchAll(UNITTEST_LINE)) {
      // Python 3.11 and later put the method into the brackets, those before do not
      add(place.endsWith(`.${method}`) ? place : `${place}.${method}`, result === "ok");
    }
  }
  return results;
}
