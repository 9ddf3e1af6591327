import { describe, expect, it } from "@jest/globals";
import { cutBeginning, cutEnd, cutMiddle } from "../../src/text/cut.ts";

const texts = ["a", "\n", "😀", "a😀\n", "[The first 3 characters are left out.]\n"].flatMap((part) =>
  [0, 1, 50, 99, 100, 101, 333].map((times) => part.repeat(times)),
);

const HALF = /[\ud800-\udfff]/u;

describe("a cut", () => {
  it.each([
    ["the end", cutEnd, /^(?<head>[\s\S]*)\n\[The remaining (?<count>\d+) characters are left out\.\]$/],
    ["the beginning", cutBeginning, /^\[The first (?<count>\d+) characters are left out\.\]\n(?<tail>[\s\S]*)$/],
    ["the middle", cutMiddle, /^(?<head>.*?)\n\[(?<count>\d+) characters are left out here\.\]\n(?<tail>.*)$/s],
  ])("at %s states how many characters it left out, and uses the full length", (_what, cut, form) => {
    for (const text of texts) {
      for (let most = 60; most < 400; most += 7) {
        const shown = cut(text, most);
        if (text.length <= most) {
          expect(shown).toBe(text);
          continue;
        }
        expect(shown.length).toBeLessThanOrEqual(most);
        expect(shown.length).toBeGreaterThan(most - 7);
        expect(shown).not.toMatch(HALF);
        const { head = "", tail = "", count } = form.exec(shown)?.groups ?? {};
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(Number(count)).toBe(text.length - head.length - tail.length);
      }
    }
  });
});
