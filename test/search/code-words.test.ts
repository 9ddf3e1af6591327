import { describe, expect, it } from "@jest/globals";
import { codeWords, lineScores } from "../../src/search/terms.ts";
import { issueTerms } from "../../src/search/token-cache.ts";

describe("codeWords", () => {
  it("are words in backticks, and identifiers that no sentence would contain", () => {
    const text =
      "The `options` are shared: `this.lexer.run()` of parseInline uses _defaults, MAX_SIZE and HTMLParser. See README.";
    expect([...codeWords(text)]).toEqual([
      "options",
      "this",
      "lexer",
      "run",
      "parseInline",
      "_defaults",
      "MAX_SIZE",
      "HTMLParser",
    ]);
    expect(codeWords("Nothing here.").size).toBe(0);
  });
});

describe("lineScores", () => {
  const terms = issueTerms({ title: "Rounding of discounts", body: "`roundCents` is wrong" });

  it("scores lines by the issue's terms in any form, rare ones more", async () => {
    const lines = ["export function roundCents(a) {", "  return a;", "// the discount is rounded", "// discount"];
    const [declared = 0, plain, comment = 0, common = 0] = await lineScores(lines, terms);
    expect(plain).toBe(0);
    expect(declared).toBeGreaterThan(comment);
    expect(comment).toBeGreaterThan(common);
  });

  it("gives one score per line, and zeros without terms", async () => {
    expect(await lineScores(["a", "", "roundCents"], new Map())).toEqual([0, 0, 0]);
    expect(await lineScores([], terms)).toEqual([]);
  });

  it("scores words of code most, but only to the letter", async () => {
    const lines = ["const defaults = 1;", "this.options = options || _defaults;"];
    const [word = 0, exact = 0] = await lineScores(lines, new Map([["default", 2]]), new Set(["_defaults"]));
    expect(exact).toBeGreaterThan(word);
    expect(await lineScores(lines, new Map(), new Set(["_defaults"]))).toEqual([0, 6]);
  });
});
