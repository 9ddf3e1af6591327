import { describe, expect, it } from "@jest/globals";
import { likenessOf } from "../../src/search/like-texts.ts";
import { anyCharacter } from "../fakes/any-character.ts";
import { fc } from "../seeded.ts";

const TEXTS = [
  { title: "Fold header lines", body: "The parser dropped what was folded." },
  { title: "Release 2.1", body: "Notes of the release." },
  { title: "Round cents half to even", body: "Rounding was wrong for header-less sheets." },
  { title: "", body: "" },
];

const rank = async (title: string, body = "") => {
  const scores = await likenessOf(TEXTS, { title, body });
  const places = TEXTS.map((_, place) => place).filter((place) => (scores[place] ?? 0) > 0);
  return places.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
};

describe("likenessOf", () => {
  it.each([
    ["the same words", "header lines are not folded", [0, 2]],
    ["other forms of a word", "Rounded cent", [2]],
    ["stop words alone", "it was what of the", []],
    ["words that no text has", "websocket timeout", []],
    ["no words", "~ * : ^ + -", []],
  ])("ranks texts by %s", async (_, title, places) => {
    expect(await rank(title)).toEqual(places);
  });

  it("weighs the title more than the body", async () => {
    const texts = [
      { title: "one thing", body: "about headers" },
      { title: "about headers", body: "one thing" },
    ];
    const [inBody = 0, inTitle = 0] = await likenessOf(texts, { title: "headers", body: "" });
    expect(inTitle).toBeGreaterThan(inBody);
  });

  it("gives finite scores for any texts", async () => {
    const nasty = fc.constantFrom(
      "foo:",
      "a~2",
      "he*",
      "^10",
      "+a",
      "-b",
      "constructor",
      "__proto__",
      "title/0",
      "\u0000",
    );
    const text = fc
      .array(fc.oneof(nasty, fc.string({ unit: anyCharacter }), fc.constantFrom("header", "parser")))
      .map((parts) => parts.join(" "));
    const texts = fc.array(fc.record({ title: text, body: text }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(texts, text, text, async (all, title, body) => {
        const scores = await likenessOf(all, { title, body });
        expect(scores).toHaveLength(all.length);
        for (const score of scores) expect(Number.isFinite(score) && score >= 0).toBe(true);
      }),
    );
  });
});
