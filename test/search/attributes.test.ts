import { describe, expect, it } from "@jest/globals";
import ignore from "ignore";
import { parseAttributes, readAttributes } from "../../src/search/attributes.ts";
import { fc } from "../seeded.ts";

const fits = (pattern: string, path: string) =>
  parseAttributes([{ path: ".gitattributes", text: `${pattern} linguist-generated` }]).of(path).generated === true;

describe("patterns of .gitattributes", () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ["a.js", ["a.js", "x/a.js"], ["a.jsx", "ba.js", "a.js/b"]],
    ["*.js", ["a.js", "x/y/.js"], ["a.jsx"]],
    ["/a.js", ["a.js"], ["x/a.js"]],
    ["x/*.js", ["x/a.js"], ["x/y/a.js", "y/x/a.js"]],
    ["x/**", ["x/a", "x/y/a"], ["x", "y/x/a"]],
    ["x/**/*", ["x/a", "x/y/a"], ["x"]],
    ["**/x", ["x", "a/x", "a/b/x"], ["ax", "x/a"]],
    ["**/x/**", ["x/a", "a/x/b/c"], ["x", "a/x"]],
    ["x/**/y", ["x/y", "x/a/y", "x/a/b/y"], ["x/ay", "xy"]],
    ["a?c", ["abc", "x/abc"], ["ac", "a/c"]],
    ["[a-c]x", ["ax", "cx"], ["dx", "-x"]],
    ["[!a-c]x", ["dx"], ["ax"]],
    ["[^a]x", ["bx"], ["ax"]],
    ["x[[:digit:]].js", ["x1.js"], ["xa.js", "x:.js"]],
    ["a\\*b", ["a*b"], ["acb"]],
    ["a**b", ["ab", "axxb"], ["a/b"]],
    ["A.js", ["A.js"], ["a.js"]],
    ["*a*b*c", ["xaybzc", "abc"], ["acb", "ab"]],
  ])("%s", (pattern, fitting, others) => {
    expect(fitting.filter((path) => !fits(pattern, path))).toEqual([]);
    expect(others.filter((path) => fits(pattern, path))).toEqual([]);
  });

  it("match names as .gitignore does", () => {
    const name = fc.stringMatching(/^[ab*?]{1,8}$/);
    const path = fc.stringMatching(/^[ab]{1,8}$/);
    fc.assert(
      fc.property(name, path, (pattern, written) => {
        expect(fits(pattern, written)).toBe(ignore({ ignorecase: false }).add(pattern).ignores(written));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("macros of .gitattributes", () => {
  it.each<[string, Readonly<Record<string, string>>, boolean | undefined]>([
    ["in the topmost file", { ".gitattributes": "[attr]art filter=lfs -text\n*.psd art" }, true],
    ["after their use", { ".gitattributes": "*.psd art\n[attr]art filter=lfs" }, true],
    ["of macros", { ".gitattributes": "[attr]a b\n[attr]b c\n[attr]c filter=lfs\n*.psd a" }, true],
    ["that lead to themselves", { ".gitattributes": "[attr]a b\n[attr]b a\n*.psd a" }, undefined],
    ["used in a folder", { ".gitattributes": "[attr]art filter=lfs", "x/.gitattributes": "*.psd art" }, true],
    ["taken back", { ".gitattributes": "[attr]art filter=lfs\n*.psd art\nx/*.psd -filter" }, false],
    ["that are unset", { ".gitattributes": "[attr]art filter=lfs\n*.psd -art" }, undefined],
    ["of a folder's file, which git ignores", { "x/.gitattributes": "[attr]art filter=lfs\n*.psd art" }, undefined],
  ])("%s", (_what, files, lfs) => {
    const texts = Object.entries(files).map(([path, text]) => ({ path, text }));
    expect(parseAttributes(texts).of("x/a.psd").lfs).toBe(lfs);
  });
});

describe("hostile .gitattributes", () => {
  const line = (pattern: string) => `${pattern} linguist-generated`;

  it.each<[string, string, string]>([
    ["stars", `${"*a".repeat(900)}b`, "a".repeat(4_000)],
    ["folders", `${"**/a/".repeat(400)}b`, "a/".repeat(2_000)],
    ["folders with stars", `${"**/*a*/".repeat(280)}b`, "aa/".repeat(1_300)],
    ["sets", `${"*[ab]".repeat(400)}c`, "ab".repeat(2_000)],
  ])("%s take at most steps proportional to the product of both lengths", (_what, pattern, path) => {
    const MOST = 1_000_000_000;
    const stepsFor = (part: number) => {
      const budget = { left: MOST };
      const cut = path.slice(0, path.length / part);
      parseAttributes([{ path: ".gitattributes", text: line(pattern) }], { budget }).of(`${cut}c`);
      return MOST - budget.left;
    };
    expect(stepsFor(1)).toBeLessThanOrEqual(2 * pattern.length * path.length);
    expect(stepsFor(1)).toBeLessThan(3 * stepsFor(2) + 1_000);
  });

  it("are abandoned after too many steps, with a reason", () => {
    const budget = { left: 1_000 };
    const text = Array.from({ length: 100 }, (_, at) => line(`*a*a${at}*`)).join("\n");
    const attributes = parseAttributes([{ path: ".gitattributes", text }], { budget });
    for (let at = 0; at < 100; at += 1) attributes.of("a".repeat(50));
    expect(attributes.unread()).toBe("the .gitattributes files take too long to compare with all paths");
  });

  it("are read in part when they have too many lines or characters, with a reason", () => {
    const many = Array.from({ length: 20_001 }, (_, at) => line(`f${at}`)).join("\n");
    const lines = parseAttributes([{ path: ".gitattributes", text: many }]);
    expect([lines.of("f1"), lines.of("f20000")]).toEqual([{ generated: true }, {}]);
    const long = parseAttributes([
      { path: ".gitattributes", text: line("a") },
      { path: "x/.gitattributes", text: "#".repeat(5 * 1024 * 1024) },
    ]);
    expect(long.of("a")).toEqual({ generated: true });
    const reason = "the .gitattributes files are too large, and were read in part";
    expect([lines.unread(), long.unread()]).toEqual([reason, reason]);
  });

  it("are not fetched when they are too large, missing from the clone, or no files", async () => {
    const entries = [
      { path: ".gitattributes", blob: "large", mode: "100644", size: 5 * 1024 * 1024 },
      { path: "x/.gitattributes", blob: "gone", mode: "100644" },
      { path: "l/.gitattributes", blob: "link", mode: "120000", size: 9 },
      { path: "s/.gitattributes", blob: "submodule", mode: "160000", size: 0 },
      { path: "y/.gitattributes", blob: "fine", mode: "100644", size: 22 },
    ];
    const read: string[] = [];
    const attributes = await readAttributes(entries, async (blob) => {
      read.push(blob);
      return new TextEncoder().encode(line("a"));
    });
    expect(read).toEqual(["fine"]);
    expect(attributes.of("y/a")).toEqual({ generated: true });
    expect(attributes.unread()).toMatch(/too large/);
  });

  it("give no reason when all of them were read", () => {
    const attributes = parseAttributes([{ path: ".gitattributes", text: line("*.js") }]);
    attributes.of("a.js");
    expect(attributes.unread()).toBeUndefined();
  });
});
