import { describe, expect, it } from "@jest/globals";
import { outlineText } from "../../src/search/outline.ts";
import { fc } from "../seeded.ts";

const body = (n: number) => Array.from({ length: 20 }, (_, i) => `        step_${n}_${i}(value)`).join("\n");
const PYTHON = [
  '"""Parses headers."""',
  "import re",
  ...Array.from({ length: 20 }, (_, n) => `class Parser${n}:\n    def parse_${n}(self, value):\n${body(n)}`),
].join("\n");

describe("outlineText", () => {
  it("leaves a short text alone", () => {
    expect(outlineText("a\r\n\r\nb", 10)).toBe("a\r\n\r\nb");
  });

  it("keeps the beginning and every declaration, and leaves out bodies", () => {
    const outline = outlineText(PYTHON, 4_000);
    expect(outline).toContain('"""Parses headers."""');
    for (let n = 0; n < 20; n++) {
      expect(outline).toContain(`class Parser${n}:`);
      expect(outline).toContain(`    def parse_${n}(self, value):`);
    }
    expect(outline).toContain("\n…\n");
    expect(outline).not.toContain("step_19_19");
  });

  it("prefers code to comments of the same depth, and thins it out evenly", () => {
    const flat = Array.from({ length: 500 }, (_, i) => `// about number ${i}\nconst number${i} = ${i};`).join("\n");
    const outline = outlineText(flat, 3_000).split("\n").slice(60);
    const code = outline.filter((line) => line.startsWith("const"));
    expect(outline.filter((line) => line.startsWith("//"))).toEqual([]);
    expect(Number(/\d+/.exec(code.at(-1) ?? "")?.[0])).toBeGreaterThan(450);
  });

  it("keeps lines and their order, fits the length and is deterministic", () => {
    const line = fc.oneof(fc.string({ maxLength: 30 }), fc.constantFrom("", "}", "\tx", "  y = 1", "# note"));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 200 }), fc.integer({ min: 50, max: 900 }), (lines, most) => {
        const text = lines.map((one) => one.replace(/[\r\n]/g, " ")).join("\n");
        const outline = outlineText(text, most);
        expect(outlineText(text, most)).toBe(outline);
        expect(outline.length).toBeLessThanOrEqual(most + 4);
        const all = text.split("\n");
        let at = -1;
        for (const shown of outline.split("\n").filter((one) => one !== "…")) {
          at = all.indexOf(shown, at + 1);
          expect(at).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it("shows part of an endless line", () => {
    expect(outlineText("x".repeat(100_000), 6_000).length).toBeLessThan(200);
  });
});
