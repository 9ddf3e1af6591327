import { describe, expect, it } from "@jest/globals";
import { cutBeginning, cutEnd, cutMiddle } from "../../src/text/cut.ts";

const texts = ["a", "\n", "😀", "a😀\n", "[The first 3 characters are left out.]\n"].flatMap((part) =>
  [0, 1, 50, 99, 100, 101, 333].map((times) => part.repeat(times)),
);

const HALF = /[\ud800-\udfff]/u;

describe.each([
  [
    "the end",
    cutEnd,
    (text: string, kept: string) => text.startsWith(kept),
    /^([\s\S]*)\n\[The remaining (\d+) characters are left out\.\]$/,
  ],
  [
    "the beginning",
    cutBeginning,
    (text: string, kept: string) => text.endsWith(kept),
    /^\[The first (\d+) characters are left out\.\]\n([\s\S]*)$/,
  ],
] as const)("a cut at %s", (_what, cut, holds, form) => {
  it("states how many characters it left out, and uses the full length", () => {
    for (const text of texts) {
      for (let most = 60; most < 400; most += 7) {
        const shown = cut(text, most);
        if (text.length <= most) {
          expect(shown).toBe(text);
          continue;
        }
        expect(shown.length).toBeLessThanOrEqual(most);
        expect(shown.length).toBeGreaterThan(most - 5);
        expect(shown).not.toMatch(HALF);
        const groups = form.exec(shown)?.slice(1) ?? [];
        const [kept = "", count = ""] = cut === cutEnd ? groups : [...groups].reverse();
        expect(holds(text, kept)).toBe(true);
        expect(Number(count)).toBe(text.length - kept.length);
      }
    }
  });
});

describe("a cut in the middle", () => {
  it("keeps both ends, and states how many characters it left out", () => {
    for (const text of texts) {
      for (let most = 60; most < 400; most += 7) {
        const shown = cutMiddle(text, most);
        if (text.length <= most) {
          expect(shown).toBe(text);
          continue;
        }
        expect(shown.length).toBeLessThanOrEqual(most);
        expect(shown.length).toBeGreaterThan(most - 7);
        expect(shown).not.toMatch(HALF);
        const note = /\n\[(\d+) characters are left out here\.\]\n/.exec(shown);
        const [head, tail] = shown.split(note?.[0] ?? "");
        expect(text.startsWith(head ?? "-") && text.endsWith(tail ?? "-")).toBe(true);
        expect(Number(note?.[1])).toBe(text.length - (head ?? "").length - (tail ?? "").length);
      }
    }
  });
});
