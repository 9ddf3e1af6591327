import { describe, expect, it } from "@jest/globals";
import lunr from "lunr";
import { indexTree } from "../../src/search/index-tree.ts";
import { rankFiles } from "../../src/search/rank-files.ts";
import { codeWords, lineScores, splitIdentifier, stemOf } from "../../src/search/terms.ts";
import { createTextIndexer, issueTerms, TokenCache } from "../../src/search/token-cache.ts";
import { anyCharacter } from "../fakes/any-character.ts";
import { fc } from "../seeded.ts";
import { indexFiles } from "./index-files.ts";

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

  it("are no pieces of platforms", () => {
    expect(termsOf("windows/amd64, linux/arm64/v8 and src/windows")).toEqual(["v8", "src", "window"]);
    expect(termsOf("src/wasm/module.cc and arch/x86")).toEqual(["src", "wasm", "modul", "cc", "arch", "x86"]);
  });

  it("are whole identifiers and their parts", () => {
    expect(splitIdentifier("parseHTTPHeader2")).toEqual(["parsehttpheader2", "par", "http", "header"]);
    expect(splitIdentifier("__init_subclass__")).toEqual(["initsubclass", "init", "subclass"]);
    expect(splitIdentifier("running")).toEqual(["run"]);
    expect(splitIdentifier("42")).toEqual([]);
  });

  it("of an identifier that has a word twice stand for it once", () => {
    const { table } = createTextIndexer()("errorOnError");
    expect(["error", "erroronerror"].map((term) => table.carriers(stemOf(term)))).toEqual([[0], [0]]);
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

const encode = (text: string) => new TextEncoder().encode(text);

describe("TokenCache", () => {
  it("reads only changed files for a second commit", async () => {
    const blobs = new Map([
      ["1", "export const a = 1;\n"],
      ["2", "export const b = 2;\n"],
      ["3", "export const changed = 3;\n"],
    ]);
    const read: string[] = [];
    const readBlob = async (blob: string) => {
      read.push(blob);
      return encode(blobs.get(blob) ?? "");
    };
    const entry = (path: string, blob: string) => ({ path, blob, mode: "100644", size: 20 });
    const cache = new TokenCache();
    await indexTree({ entries: [entry("a.js", "1"), entry("b.js", "2")], readBlob, cache });
    const { files } = await indexTree({ entries: [entry("a.js", "1"), entry("b.js", "3")], readBlob, cache });
    expect(read).toEqual(["1", "2", "3"]);
    expect(rankFiles({ files, issue: { title: "changed", body: "" }, limit: 5 })[0]?.path).toBe("b.js");
  });

  it("forgets the least recently used within its limit, and earlier results stay valid", async () => {
    const cache = new TokenCache({ mostBytes: 60_000 });
    const early = cache.add("early", encode("export const early = 1;"));
    for (let i = 0; i < 400; i++) {
      cache.get("early");
      cache.add(`${i}`, encode(`const shared = value; let other = ${"shared value other ".repeat(5)}`));
    }
    expect(cache.size).toBeLessThan(400);
    expect(cache.get("early")).toBe(early);
    expect(cache.get("0")).toBeUndefined();
  });

  it("lets files from two identifier tables be ranked together", async () => {
    const cache = new TokenCache();
    const { files: before } = await indexFiles({ "old.js": "export const header = 1;" }, cache);
    cache.clear();
    const { files: after } = await indexFiles({ "new.js": "export const unrelated = 1, header = 2;" }, cache);
    const found = rankFiles({ files: [...before, ...after], issue: { title: "header", body: "" }, limit: 5 });
    expect(found.map(({ path }) => path).sort()).toEqual(["new.js", "old.js"]);
  });
});

describe("indexTree", () => {
  it("classifies every file, and indexes only those that count", async () => {
    const { files, classes } = await indexFiles({
      ".gitattributes": "made.js linguist-generated\n",
      "a.js": "export const a = 1;",
      "made.js": "export const made = 1;",
      "header.go": "// Code generated by x. DO NOT EDIT.\n",
      "yarn.lock": "a",
    });
    expect(files.map(({ path }) => path)).toEqual([".gitattributes", "a.js"]);
    expect([...classes].map(([path, { kind }]) => `${path} ${kind}`)).toEqual([
      ".gitattributes config",
      "a.js source",
      "made.js generated",
      "header.go generated",
      "yarn.lock lock",
    ]);
  });
});

describe("codeWords", () => {
  it("are words in backticks, and identifiers that no sentence would contain", () => {
    const text =
      "The `options` are shared: `this.lexer.run()` of parseInline uses _defaults, MAX_SIZE and HTMLParser. See README.";
    expect([...codeWords(text)]).toEqual([
      "options",
      "this",
      "lexer",
      "run",
      "parseInline",
      "_defaults",
      "MAX_SIZE",
      "HTMLParser",
    ]);
    expect(codeWords("Nothing here.").size).toBe(0);
  });
});

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

  it("scores words of code most, but only to the letter", async () => {
    const lines = ["const defaults = 1;", "this.options = options || _defaults;"];
    const [word = 0, exact = 0] = await lineScores(lines, new Map([["default", 2]]), new Set(["_defaults"]));
    expect(exact).toBeGreaterThan(word);
    expect(await lineScores(lines, new Map(), new Set(["_defaults"]))).toEqual([0, 6]);
  });
});
