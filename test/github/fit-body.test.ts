import { describe, expect, it } from "@jest/globals";
import { fitBody, fitTitle } from "../../src/github/fit.ts";
import { fc } from "../seeded.ts";

const NOTE = "GitHub accepts no longer text";

describe("fitBody", () => {
  it("leaves a text of exactly the maximum length alone", () => {
    const text = "x".repeat(65_536);
    expect(fitBody(text)).toBe(text);
    expect(fitBody(`${text}y`)).toHaveLength(65_536);
  });

  it("closes an open fence and open details before the note", () => {
    const text = `<details><summary>log</summary>\n\n~~~~text\n~~~\n<details>\n${"line\n".repeat(200)}`;
    expect(fitBody(text, 300)).toMatch(/line\n~~~~\n\n<\/details>\n\n_The rest was cut: .*_\n$/);
  });

  it("ignores details inside a fence, and closes none twice", () => {
    const text = `\`\`\`html\n<details>\n\`\`\`\n<details>a</details>\n${"line\n".repeat(200)}`;
    expect(fitBody(text, 300)).not.toContain(`</details>\n\n_The`);
  });

  it("keeps the bot's markers at the end", () => {
    const markers = "\n<!-- magis:run 5 -->\n<!-- magis:state {} -->\n";
    const cut = fitBody("line\n".repeat(500) + markers, 1000);
    expect(cut.endsWith(markers)).toBe(true);
    expect(cut).toContain(NOTE);
    expect(cut.length).toBeLessThanOrEqual(1000);
  });

  it("does not let a half-cut comment hide the note", () => {
    expect(fitBody(`text <!-- ${"hidden\n".repeat(100)} --> more text`, 300)).toMatch(/hidden\n-->\n\n_The rest/);
  });

  it("always fits every limit, stays well-formed and begins like the text", () => {
    const part = fc.constantFrom(
      "text\n",
      "🌈",
      "日本",
      "```\n",
      "~~~~\n",
      "<details>\n",
      "</details>\n",
      "<!--",
      "-->",
      " \n",
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 50, maxLength: 400 }), (parts) => {
        const text = parts.join("");
        const fitted = fitBody(text, 256);
        if (text.length <= 256) return fitted === text;
        expect(fitted.length).toBeLessThanOrEqual(256);
        expect(() => encodeURIComponent(fitted)).not.toThrow();
        expect(fitted).toContain(NOTE);
        return true;
      }),
      { numRuns: 500 },
    );
  });
});

describe("fitTitle", () => {
  it("makes one line of at most 256 characters", () => {
    expect(fitTitle(" a\r\n b ")).toBe("a b");
    const long = fitTitle("🌈".repeat(300));
    expect([...long]).toHaveLength(256);
    expect(long.endsWith("🌈…")).toBe(true);
  });
});
