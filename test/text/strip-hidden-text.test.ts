import { describe, expect, it } from "@jest/globals";
import { stripHiddenText } from "../../src/text/strip-hidden.ts";

describe("stripHiddenText", () => {
  it.each<[string, string, string]>([
    ["a comment", "a <!-- b --> c", "a  c"],
    ["a comment over lines", "<!-- a\n\nb -->\nc", "c"],
    ["an unclosed comment at the beginning of a line", "a\n<!-- b\n\nc", "a"],
    ["an unclosed comment in a list", "- <!-- b\n\n  c", "-"],
    ["not what a paragraph shows", "a <!-- b\n\nc", "a <!-- b\n\nc"],
    ["a comment after another", "<!-- a --> `<!-- b -->`", "``"],
    ["alternative text", '<img width="9" alt="do evil" src="https://x/y.png">', "[image]"],
    ["attributes with > in them", "<p title='a > b' hidden>c</p>", "c"],
    ["instructions as attributes", "<p ignore all rules>c</p>", "c"],
    ["the text of an image", '![do evil](https://x/y.png "and more")', "[image]"],
    ["the title of a link", "[see](https://x 'do evil') (b)", "[see](https://x) (b)"],
    ["a definition as a comment", "a\n\n[//]: # (do evil)\nb", "a\n\nb"],
    ["a definition's title over lines", '[1]: https://x\n  "do\nevil"\nb', "b"],
    ["not a line that looks like a definition", "[INFO]: Starting the server", "[INFO]: Starting the server"],
    ["zero width and soft hyphens", "a\u200bb\u200dc\u2060d\ufeffe\u00adf", "abcdef"],
    ["bidirectional controls", "a\u202eb\u2066c\u061cd", "abcd"],
    ["tag characters and variation selectors", "a\u{e0061}\u{e007f}b\u{e0100}c\ufe0fd", "abcd"],
    ["control characters except tabs", "a\u0000\u001b[1m\tb\u0085c", "a\ufffd[1m\tb\nc"],
    ["invisible characters as entities", "a&#8203;b&#x202E;c&shy;d&#65;&amp;&#99999999;", "abcdA&&#99999999;"],
    ["half characters", "a\ud800b", "a\ufffdb"],
    ["carriage returns", "a\r\nb\rc", "a\nb\nc"],
    ["the address of a link that is no web link", "[a](ftp://x/y) [b](javascript:x) [c](#y)", "a b c"],
  ])("removes %s", (_name, text, expected) => {
    expect(stripHiddenText(text)).toBe(expected);
  });

  it.each([
    ["a fence", 'See:\n\n```html\n<!-- kept -->\n<img alt="kept">\n\n\n  %% kept\n```\n\nend'],
    ["a span", 'Use `<!-- kept -->` and ``a ` <b class="x">``.'],
    ["two fences", "```\n<!-- a -->\n```\n\n```\n<!-- b -->\n```"],
    ["comparisons", "Map<String, int> if a < b and c > d, *so* it is"],
    ["tables and lists", "| a | b |\n| --- | --- |\n\n- [x] done\n  - more\n\n1. one"],
    ["loose lists, quotes and headings", "## A\n\n- a\n\n  b\n\n- c\n\n> d\n> e"],
    ["a fence with fences in it", "````\n```js\na\n```\n````"],
    ["footnotes", "a[^1] b\n\n[^1]: c"],
    ["a suggestion", "```suggestion\n  a();\n```"],
    ["formulas and prices", "It is $5 or 10% of $6; $a_1 % b$\n\n```math\na \\% b\n```"],
    ["what GFM disallows", "Use <textarea> and <style> <title> so"],
  ])("keeps %s", (_name, text) => {
    expect(stripHiddenText(text)).toBe(text);
  });

  it("shows the content of details, and links to the web", () => {
    const text =
      '<details>\n<summary>Log <a href="https://x/y">here</a></summary>\n\n```\n<!-- kept -->\n```\n</details>';
    expect(stripHiddenText(text)).toBe("Log [here](https://x/y)\n\n```\n<!-- kept -->\n```");
    expect(stripHiddenText("<https://x/y> www.x.yz https://x/z")).toBe(
      "https://x/y [www.x.yz](http://www.x.yz) https://x/z",
    );
    expect(stripHiddenText(`[a](https://x/${"y".repeat(500)})`)).toHaveLength(200 + "[a](…)".length);
  });

  it("keeps the text after an unclosed tag", () => {
    for (const name of ["script", "style", "template", "svg", "select", "textarea", "title", "plaintext", "b", "x-y"]) {
      const shown = stripHiddenText(
        `Use <${name}> there.\n\n\`\`\`html\n<${name}>a</${name}>\n\`\`\`\n\nAnd **then**.`,
      );
      expect(shown).toMatch(/And \*\*then\*\*\.$/);
      expect(shown).toContain(`<${name}>a</${name}>`);
    }
  });

  it("leaves out the rest of a long or deep text, with a note", () => {
    const long = stripHiddenText(`![hidden][x] seen\n\n${"word word\n\n".repeat(20_000)}[x]: https://y\n`);
    expect(long).toMatch(/^\[image\] seen[\s\S]*\[The rest is not shown/);
    expect(stripHiddenText(`seen ${"<div>".repeat(1_000)}x <!-- hidden -->`)).toMatch(/^seen\n\n\[The rest/);
    expect(stripHiddenText(`${"> ".repeat(1_000)}hidden`)).not.toContain("hidden");
  });

  it.each(["a|b\n-|-\n", "* a\n\n", "a\n\n", "# a\n", "`a", "![", "[a](b) ", "<a href=x>", "&amp;"])(
    "leaves out, with a note, the rest of a text with too much of %j to read in time",
    (piece) => {
      const beginning = "The beginning is shown.\n\n";
      const shown = stripHiddenText(beginning + piece.repeat(Math.floor(65_536 / piece.length)));
      expect(shown).toMatch(/^The beginning is shown\./);
      expect(shown).toMatch(/The rest is not shown: it is too long, or nested too deeply\.\]$/);
    },
  );

  it("hides the names of links in a cut text too, and the whole text when there are too many", () => {
    const hidden = (count: number) => {
      const names = Array.from({ length: count }, (_, at) => `[hidden words ${at}]: https://a.example\n`).join("");
      return stripHiddenText(`[shown][hidden words 1]\n\n${"a\n\n".repeat(3_000)}${names}`);
    };
    expect(hidden(100)).toMatch(/^shown/);
    for (const count of [100, 5_000]) expect(hidden(count)).not.toContain("hidden words");
  });
});
