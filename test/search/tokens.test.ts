import { describe, expect, it } from "@jest/globals";
import lunr from "lunr";
import { splitIdentifier, stemOf } from "../../src/search/terms.ts";
import { createTextIndexer, issueTerms, TokenCache } from "../../src/search/token-cache.ts";
import { anyCharacter } from "../fakes/any-character.ts";
import { fc } from "../seeded.ts";

const termsOf = (text: string) => [...issueTerms({ title: text, body: "" }).keys()];
describe("tokens", () => {
  it("are no pieces of versions and hashes", () => {
    const text = "hugo v0.163.0-4a1bcdef+extended, commit 4ab1cdefa0 of 2.1rc3: sha256 utf8 base64 facade deadbeef v2";
    expect(termsOf(text)).toEqual([
      "hugo",
      "commit",
      "sha256",
      "sha",
      "utf8",
      "utf",
      "base64",
      "base",
      "facad",
      "deadbeef",
      "v2",
    ]);
  });

  it("are whole identifiers and their parts", () => {
    expect(splitIdentifier("parseHTTPHeader2")).toEqual(["parsehttpheader2", "par", "http", "header"]);
    expect(splitIdentifier("__init_subclass__")).toEqual(["initsubclass", "init", "subclass"]);
    expect(splitIdentifier("running")).toEqual(["run"]);
    expect(splitIdentifier("42")).toEqual([]);
  });

  it("include identifiers inside text without spaces", () => {
    expect(termsOf("使用parseHeader方法")).toEqual(
      expect.arrayContaining(["使用", "parsehead", "par", "header", "方法"]),
    );
  });

  it("are never empty and never throw for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (text) => {
        for (const term of termsOf(text)) expect(term.length).toBeGreaterThan(1);
      }),
    );
    const cache = new TokenCache();
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => cache.add("1", bytes).tokens.length >= 0));
  });

  it("are stems as the Porter stemmer makes them, repeated until nothing changes", () => {
    const repeated = (word: string): string => {
      const shorter = lunr.stemmer(new lunr.Token(word, {})).toString();
      return shorter === word || shorter.length < 2 ? word : repeated(shorter);
    };
    const end = fc.constantFrom(
      ...`s es ies ss ed eed ing at bl iz y i ational tional enci anci izer bli alli entli eli ousli ization ation ator
      alism iveness fulness ousness aliti iviti biliti logi icate ative alize iciti ical ful ness al ance ence er ic able
      ible ant ement ment ent ou ism ate iti ous ive ize sion tion e ll`.split(/\s+/),
    );
    const word = fc.tuple(fc.stringMatching(/^[a-z]{1,12}$/), fc.array(end, { maxLength: 3 }));
    fc.assert(
      fc.property(word, ([beginning, ends]) => {
        const written = [beginning, ...ends].join("");
        expect(stemOf(written)).toBe(repeated(written));
      }),
      { numRuns: 500 },
    );
  });

  it("are the same stems after more words than are remembered", () => {
    const words = Array.from({ length: 60_000 }, (_, at) =>
      `${at}s`.replace(/\d/g, (digit) => "abcdfghjkl"[+digit] ?? ""),
    );
    const first = words.slice(0, 100).map(stemOf);
    for (const word of words) stemOf(word);
    expect(words.slice(0, 100).map(stemOf)).toEqual(first);
  });

  it("give themselves when split again", () => {
    const word = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 30 }),
      fc.stringMatching(/^[A-Za-z_$]{1,20}[a-z0-9]{0,10}$/),
    );
    fc.assert(
      fc.property(word, (text) => {
        for (const term of splitIdentifier(text)) expect(splitIdentifier(term)).toContain(term);
      }),
    );
  });

  it("are counted by identifier, of which the table knows those that stand for a term", () => {
    const { table, counts, length } = createTextIndexer()("foo bar foo\nfoo fooBar");
    const foo = table.numberOf("foo");
    expect([counts[counts.indexOf(foo) + 1], length]).toEqual([3, 5]);
    expect(table.carriers("foo")).toEqual([foo, table.numberOf("fooBar")]);
    expect(table.carriers("baz")).toEqual([]);
  });
});
