import { describe, expect, it } from "@jest/globals";
import { stripEscapes } from "../../src/text/strip-escapes.ts";

describe("stripEscapes", () => {
  it.each([
    ["colours", "a\u001b[1;31mred\u001b[0m\u009b2Jb", "aredb"],
    ["others", "a\u001bcb\u001b(Bc\u001b7", "abc"],
    ["one that is not ended", "a \u001b]0;title and more", "a 0;title and more"],
    ["none of what a reader sees", "[31m naïve 日本\r\n\t", "[31m naïve 日本\r\n\t"],
    ...[...[..."PX]^_"].map((letter) => `\u001b${letter}`), ..."\u0090\u0098\u009d\u009e\u009f"].flatMap((begin) =>
      ["\u0007", "\u001b\\", "\u009c"].map((end): [string, string, string] => [
        `a string of ${JSON.stringify(begin + end)}`,
        `a${begin}0;say${end}b`,
        "ab",
      ]),
    ),
  ])("takes out %s", (_what, text, rest) => {
    expect(stripEscapes(text)).toBe(rest);
  });

  it.each(["\u0090", "\u009d0;", "\u001bP", "\u001b]8;;a", "\u001b[1;", "\u009b1"])(
    "reads a megabyte of %j only once",
    (begin) => {
      expect(stripEscapes(begin.repeat(1_000_000 / begin.length))).not.toContain("\u001b");
    },
  );
});
