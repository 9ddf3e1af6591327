import { describe, expect, it } from "@jest/globals";
import { RE2JS } from "re2js";
import { requiredLiterals } from "../../../src/agents/tools/lookups/find-text.ts";
import { fc } from "../../seeded.ts";

describe("requiredLiterals", () => {
  it.each<[string, string[] | undefined]>([
    ["getUser", ["getUser"]],
    ["def get_\\w+\\(", ["def get_"]],
    ["foo|barbaz", ["foo", "barbaz"]],
    ["foo|b", undefined],
    ["colou?r", ["colo"]],
    ["ab*cde", ["cde"]],
    ["ab\\.bcd\\.c", ["bcd"]],
    ["[abc]def[^]x]", undefined],
    ["(?i)name", undefined],
    ["\\x41bc", undefined],
    ["struct {", undefined],
  ])("finds those of %s", (pattern, literals) => {
    expect(requiredLiterals(pattern)).toEqual(literals);
  });

  it("requires nothing that a match may lack", () => {
    const piece = fc.constantFrom(
      "ab",
      "c",
      "a",
      "b+",
      "c*",
      "a?",
      "b{2}",
      "(ab|c)",
      "[ab]",
      ".",
      "\\.",
      "\\w",
      "^",
      "|",
      "(?:bc)?",
    );
    const text = fc
      .array(fc.constantFrom("a", "b", "c", ".", "ab", "bb"), { maxLength: 8 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), text, (parts, line) => {
        const pattern = parts.join("");
        const literals = compiles(pattern) ? requiredLiterals(pattern) : undefined;
        if (!literals || !RE2JS.compile(pattern).test(line)) return true;
        return literals.some((literal) => line.includes(literal));
      }),
      { numRuns: 3_000 },
    );
  });
});

function compiles(pattern: string): boolean {
  try {
    RE2JS.compile(pattern);
    return true;
  } catch {
    return false;
  }
}
