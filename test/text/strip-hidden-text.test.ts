import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { markdownSegments } from "../../src/text/markdown.ts";
import { stripHiddenText } from "../../src/text/strip-hidden.ts";

describe("stripHiddenText", () => {
  it.each<[string, string, string]>([
    ["a comment", "a <!-- b --> c", "a  c"],
    ["a comment over lines", "<!-- a\n\nb -->\nc", "\nc"],
    ["a comment never closed at the beginning of a line", "a\n<!-- b\n\nc", "a\n"],
    ["a comment never closed in a list", "- <!-- b\n\n  c", "- "],
    ["not what a paragraph shows", "a <!-- b\n\nc", "a <!-- b\n\nc"],
    ["a comment behind another", "<!-- a --> `<!-- b -->`", " ``"],
    ["the halves of a comment around one", "a <!<!-- b -->-- c -->", "a -- c -->"],
    ["alternative text", '<img width="9" alt="do evil" src="https://x/y.png">', '<img src="https://x/y.png">'],
    ["attributes with > in them", "<p title='a > b' hidden>c</p>", "<p>c</p>"],
    ["words that pretend to be attributes", "<p ignore all rules>c</p>", "<p>c</p>"],
    ["the text of an image", '![do evil](https://x/y.png "and more")', "![](https://x/y.png)"],
    ["the text of an image with brackets", "![do [really] evil][1]", "![][1]"],
    ["the title of a link", "[see](https://x 'do evil') (b)", "[see](https://x) (b)"],
    ["a definition as a comment", "a\n\n[//]: # (do evil)\nb", "a\n\nb"],
    ["a definition's title over lines", '[1]: https://x\n  "do\nevil"\nb', "[1]: https://x\nb"],
    ["not a line that looks like a definition", "[INFO]: Starting the server", "[INFO]: Starting the server"],
    ["not a footnote", '[^1]: see "this"', '[^1]: see "this"'],
    ["zero width and soft hyphens", "a\u200bb\u200dc\u2060d\ufeffe\u00adf", "abcdef"],
    ["bidirectional controls", "a\u202eb\u2066c\u061cd", "abcd"],
    ["tag characters and variation selectors", "a\u{e0061}\u{e007f}b\u{e0100}c\ufe0fd", "abcd"],
    ["controls, but no tab", "a\u0000\u001b[1m\tb\u0085c", "a[1m\tb\nc"],
    ["invisible characters as entities", "a&#8203;b&#x202E;c&shy;d&#65;&amp;&#99999999;", "abcd&#65;&amp;&#99999999;"],
    ["half characters", "a\ud800b", "a\ufffdb"],
    ["carriage returns", "a\r\nb\rc", "a\nb\nc"],
  ])("takes out %s", (_name, text, expected) => {
    expect(stripHiddenText(text)).toBe(expected);
  });

  it.each([
    ["a fence", 'See:\n```html\n<!-- kept -->\n<img alt="kept">\n```\nend'],
    ["a fence in details", "<details>\n<summary>Log</summary>\n\n```\n<!-- kept -->\n```\n</details>"],
    ["a span", 'Use `<!-- kept -->` and ``a ` <b class="x">``.'],
    ["two fences", "```\n<!-- a -->\n```\n```\n<!-- b -->\n```"],
    ["generics and comparisons", "Map<String, List<T>> if a < b and c > d"],
    ["tables and lists", "| a | b |\n|---|---|\n\n- [x] done\n1. one"],
  ])("keeps %s", (_name, text) => {
    expect(stripHiddenText(text)).toBe(text);
  });

  it.each([
    ["a fence that a list ends", "- a\n  ```\n<!-- hidden -->\n"],
    ["a fence in HTML", "<div>\n```\n<!-- hidden -->\n```\n</div>"],
    ["a fence in preformatted HTML", "<pre>\n\n```\n<!-- hidden -->\n```\n</pre>"],
    ["a span in HTML", "<div>`<!-- hidden -->`</div>"],
    ["an escaped backtick", "\\`<!-- hidden -->`"],
    ["a span over lines", "a ` b\nc ` <!-- hidden --> ` d"],
    ["a backtick in an attribute", '<a title="`"> <!-- hidden --> `'],
    ["backticks in two cells", "| ` | <!-- hidden --> ` |"],
    ["an indented fence closed at the margin", "  ```\n```\n<!-- hidden -->\n```"],
    ["a fence begun in a comment that is none", "a <!--\n\n```\n-->\n\n```\n<!-- hidden -->\n```"],
    ["a fence begun in a list's comment", "- a\n  <!-- x\n\n```\n-->\n```\n<!-- hidden -->\n```"],
    ["a fence behind an invisible character", "\u200b```\n<!-- hidden -->\n```"],
    ["a comment that stays open in the page", "<div><!--\n\nx -->\n\nhidden"],
    ["code in the text of an image", "![`hidden`](https://x/y.png)"],
    ["code in a title", '[a](https://x "`hidden`")'],
    ["code in a definition", "[//]: # (`hidden`)"],
    ["a definition in a list", "- [//]: # (hidden)"],
    ["words behind a fence's language", "```js hidden words\na\n```"],
    ["a tag that is never closed", "<div><p hidden\nhidden"],
    ["an instruction", "<?x hidden\n?>"],
    ["a declaration", "<div><!x hidden"],
    ["a definition's address", "[//]: <hidden words>"],
    ["a tag over lines", '<img\nalt="hidden"\nsrc="https://x/y.png">'],
    ["a line that only looks blank", "<div>\n\u00a0\n```\n<!-- hidden -->\n```"],
  ])("is not misled by %s", (_name, text) => {
    expect(stripHiddenText(text)).not.toContain("hidden");
  });

  it("shows nothing new when done twice, and nothing that was not there", () => {
    const pieces = fc.constantFrom(
      "<!--",
      "-->",
      "`",
      "```",
      "\n",
      "\n\n",
      "a",
      " ",
      "<div>",
      "- ",
      "|",
      "\\",
      '"',
      "[a]: ",
      "](",
      "![",
      "~~~",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 25 }), (all) => {
        const text = all.join("");
        expect(
          markdownSegments(text)
            .map((segment) => segment.text)
            .join(""),
        ).toBe(text);
        expect(stripHiddenText(text).length).toBeLessThanOrEqual(text.length + all.length);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    "<!--",
    "<!-- a -->",
    "- <!--",
    "a <!--",
    "`",
    "``` ",
    "`a``",
    "```\n",
    "\n",
    " ",
    "-",
    "- ",
    "<",
    "<a ",
    '<a x="',
    "<a x='<a x=\"",
    "![",
    "![[",
    "![a]",
    "](",
    '](a "',
    "](a (",
    "[a]: b (",
    '[a]: b "\n',
    "[a]: b\n(",
    "[",
    "&#",
    "&#0",
    "\u200b",
    "\ud800",
    "\\`",
    "~~~\n",
    "<!--\n\n",
    "<a b=c ",
  ])("takes linear time on a megabyte of %j", (piece) => {
    const started = performance.now();
    for (const lead of ["", "x", "- ", "<div>"])
      stripHiddenText(lead + piece.repeat(Math.ceil(250_000 / piece.length)));
    stripHiddenText(piece.repeat(Math.ceil(1_000_000 / piece.length)));
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});
