import { describe, expect, it } from "@jest/globals";
import { lineScores } from "../../src/search/terms.ts";
import { issueTerms } from "../../src/search/token-cache.ts";

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
});
