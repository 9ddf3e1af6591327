import { describe, expect, it } from "@jest/globals";
import { codeWords, lineScores } from "../../src/search/terms.ts";

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

  it("count most in a line's score, but only to the letter", async () => {
    const terms = new Map([["default", 2]]);
    const lines = ["const defaults = 1;", "this.options = options || _defaults;"];
    const [word = 0, exact = 0] = await lineScores(lines, terms, new Set(["_defaults"]));
    expect(exact).toBeGreaterThan(word);
    expect(await lineScores(lines, new Map(), new Set(["_defaults"]))).toEqual([0, 6]);
  });
});
