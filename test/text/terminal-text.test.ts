import { describe, expect, it } from "@jest/globals";
import { terminalText } from "../../src/text/strip-escapes.ts";
import { fitText, wrapText } from "../../src/text/terminal-text.ts";
import { HOSTILE } from "../report/run/hostile-report.ts";

/** any control but a newline */
const CONTROL = /[^\P{Cc}\n]/u;

describe("terminalText", () => {
  it.each([
    ["a\u001b[31mred\u001b[0m b", "ared b"],
    ["a\rb\tc\u0008\u202e", "a\nb    c"],
  ])("makes %j %j", (text, safe) => {
    expect(terminalText(text)).toBe(safe);
  });

  it("leaves no control whatever it is given", () => {
    expect(terminalText(HOSTILE.repeat(3))).not.toMatch(CONTROL);
  });
});

describe("wrapText", () => {
  it.each([
    ["one two three four", 10, ["one two", "three four"]],
    ["  one two three", 10, ["  one two", "  three"]],
    ["a\n\nb", 10, ["a", "", "b"]],
    ["x".repeat(25), 10, ["x".repeat(10), "x".repeat(10), "x".repeat(5)]],
    ["日本語日本語", 10, ["日本語日本", "語"]],
  ])("breaks %j", (text, width, lines) => {
    expect(wrapText(text, width)).toEqual(lines);
  });

  it("leaves long words whole on request", () => {
    const address = `https://host.example/${"x".repeat(20)}`;
    expect(wrapText(`see ${address} there`, 12, { whole: true })).toEqual(["see", address, "there"]);
  });
});

describe("fitText", () => {
  const text = `  ${"word ".repeat(40)}\nend`;

  it.each([
    [60, 60],
    [80, 80],
    [200, 120],
  ])("keeps within a terminal of %i columns, without cutting words", (columns, width) => {
    const lines = fitText(text, columns).split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(lines.slice(0, -1).every((line) => /^ {2}word( word)*$/.test(line))).toBe(true);
    expect(lines.at(-1)).toBe("end");
  });

  it("leaves the text as it is where there is no terminal", () => {
    expect(fitText(text, undefined)).toBe(text);
    expect(fitText(text, 0)).toBe(text);
  });
});
