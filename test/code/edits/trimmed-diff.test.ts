import { describe, expect, it } from "@jest/globals";
import { applyPatch } from "diff";
import { unifiedDiff } from "../../../src/code/edits/diff.ts";
import { largeSource } from "../../fakes/large-source.ts";
import { fc } from "../../seeded.ts";

const line = fc.constantFrom("a\n", "b\n", "\n", "a\r\n", "é\n", "a");
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join(""));

describe("unifiedDiff of the lines that differ", () => {
  it("turns the old text into the new, with any surroundings and any context", () => {
    fc.assert(
      fc.property(text, text, text, text, fc.nat({ max: 4 }), (head, before, after, tail, context) => {
        const [old, now] = [head + before + tail, head + after + tail];
        const patch = unifiedDiff("a.txt", Buffer.from(old), Buffer.from(now), { context });
        if (old !== now) expect(applyPatch(old, patch, { autoConvertLineEndings: false })).toBe(now);
      }),
      { numRuns: 2_000 },
    );
  });

  it("has a large file's line numbers, and shows only the change and its surroundings", () => {
    const whole = largeSource(1_000_000, "/* here */\nint here;\n\n");
    const at = whole.slice(0, whole.indexOf("int here;")).split("\n").length;
    const patch = unifiedDiff("a.c", Buffer.from(whole), Buffer.from(whole.replace("int here;", "long here;")));
    expect(patch).toContain(`@@ -${at - 3},7 +${at - 3},7 @@\n`);
    expect(patch.split("\n").filter((one) => /^[+-](?![+-])/.test(one))).toEqual(["-int here;", "+long here;"]);
  });
});
