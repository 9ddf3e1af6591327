import { describe, expect, it } from "@jest/globals";
import { stripHiddenText } from "../../src/text/strip-hidden.ts";

/** Each hides the word "hidden" on GitHub, and shows any "seen". */
const PLACES: readonly (readonly [string, string])[] = [
  ["a comment over blank lines", "<!-- a\n\nhidden\n\n--> \n\nseen"],
  ["a comment in a paragraph over lines", "seen <!-- hidden\nhidden --> seen"],
  ["a comment in a list over lines", "- seen <!--\n  hidden -->\n- seen"],
  ["a comment in a quote", "> seen\n> <!--\n> hidden\n> -->"],
  ["a comment in a table cell", "| a |\n|---|\n| seen <!-- hidden --> |"],
  ["a comment in a heading", "# seen <!-- hidden -->"],
  ["a comment in a link's text", "[seen<!-- hidden -->](https://x)"],
  ["a comment in a footnote", "seen[^1]\n\n[^1]: seen <!-- hidden -->"],
  ["a comment in a summary", "<details><summary>seen<!-- hidden --></summary></details>"],
  ["a comment that is never closed on the page", "seen\n\n<div><!--\n\nx -->\n\nhidden"],
  ["a comment with a dash in front of its end", "<!-- hidden --- -->\n\nseen"],
  ["a comment that a bang closes", "<!-- hidden --!>\n\nseen -->"],
  ["a declaration over blank lines", "<!DOCTYPE\n\nhidden\n\n>\n\nseen"],
  ["a declaration in a paragraph", "seen <!X hidden> seen"],
  ["an instruction over blank lines", "<?php\n\nhidden\n\n?>\n\nseen"],
  ["an instruction in a paragraph", "seen <?x hidden ?> seen"],
  ["a comment behind an instruction that stays open", "seen <?x <!-- hidden --> <![CDATA[ <!-- hidden -->"],
  ["a character section over blank lines", "<![CDATA[\n\nhidden\n\n]]>\n\nseen"],
  ["a character section in a paragraph", "seen <![CDATA[hidden]]> seen"],
  ["an unused reference", "seen\n\n[hidden]: https://x"],
  ["an unused reference's address", "seen\n\n[x]: https://x/hidden"],
  ["an unused reference's title", 'seen\n\n[x]: https://x "hidden"'],
  ["an unused reference's title over lines", 'seen\n\n[x]: https://x\n"a\nhidden"'],
  ["an unused reference in a quote", "> [x]: <hidden words>\n\nseen"],
  ["an unused reference in a list", "- [//]: # (hidden)\n- seen"],
  ["an unused reference whose name is escaped", "seen\n\n[a\\]hidden]: https://x"],
  ["a used reference's title", '[seen][x]\n\n[x]: https://x "hidden"'],
  ["a used reference's name", "[seen][hidden]\n\n[hidden]: https://x"],
  ["a second definition of a name", "[seen][x]\n\n[x]: https://x\n[x]: https://hidden"],
  ["an unused footnote", "seen\n\n[^x]: hidden"],
  ["an unused footnote of two paragraphs", "seen\n\n[^x]: a\n\n    hidden"],
  ["a second definition of a footnote", "seen[^x]\n\n[^x]: a\n\n[^x]: hidden"],
  ["a footnote's name", "seen[^hidden]\n\n[^hidden]: a"],
  ["a surplus cell", "| a |\n|---|\n| seen | hidden |"],
  ["a surplus cell without pipes around", "a | b\n---|---\nseen | c | hidden"],
  ["an attribute", '<p title="hidden">seen</p>'],
  ["an attribute's name", "<p hidden>seen</p>"],
  ["an attribute of an empty anchor", '<a name="hidden"></a>seen'],
  ["an address of an empty anchor", '<a href="https://x/hidden"></a>seen'],
  ["an address of an anchor with a space", '<a href="https://x/hidden"> &#8203;&nbsp;</a>seen'],
  ["an address of an empty link", "[](https://x/hidden)seen"],
  ["an address of a linked image", "[![a](https://x/y.png)](https://x/hidden) seen"],
  ["an attribute of a closing tag", '<div>seen</div hidden="hidden">'],
  ["an attribute of a closing tag that begins a block", "</div hidden>\n\nseen"],
  ["an attribute in a tag over lines", '<img\nalt="hidden"\nsrc="https://x/y.png"> seen'],
  ["a tag that is never closed", "seen\n\n<div\nhidden"],
  ["a tag never closed in a block", "seen\n\n<div><p hidden\nhidden"],
  ["a data address", "[seen](data:text/plain,hidden)"],
  ["a data address of an image", "![](data:text/plain,hidden) seen"],
  ["a data address in an anchor", '<a href="data:text/plain,hidden">seen</a>'],
  ["a javascript address", "[seen](javascript:hidden)"],
  ["an address within the page", "[seen](#hidden)"],
  ["a mail's subject", "[seen](mailto:a@b.c?subject=hidden)"],
  ["an unknown tag's name", "seen <hidden-words>seen</hidden-words>"],
  ["an unknown tag that begins a block", "<hidden>\n\nseen\n\n</hidden>"],
  ["a self-closing unknown tag", "seen <hidden/> seen"],
  ["an alternative text", "![hidden](https://x/y.png) seen"],
  ["an alternative text with nested brackets", "![a [b [hidden] c] d](https://x/y.png) seen"],
  ["an alternative text with a link", "![a [hidden](https://y) b](https://x/y.png) seen"],
  ["an alternative text with an image", "![a ![hidden](https://y) b](https://x/y.png) seen"],
  ["an alternative text with code", "![`hidden`](https://x/y.png) seen"],
  ["an alternative text by reference", "![hidden][x] seen\n\n[x]: https://x/y.png"],
  ["an alternative text that is its reference", "![hidden][] ![hidden] seen\n\n[hidden]: https://x/y.png"],
  ["an alternative text in HTML", '<img alt="hidden" src="https://x/y.png"> seen'],
  ["an image's title", '![](https://x/y.png "hidden") seen'],
  ["an image's address", "![](https://x/hidden.png) seen"],
  ["an image's source for screens", '<picture><source srcset="https://x/hidden.png"><img src="y"></picture> seen'],
  ["a link's title", "[seen](https://x 'hidden')"],
  ["a link's title with an escape", '[seen](https://x "a\\"hidden")'],
  ["words behind a fence's language", "```js hidden\nseen\n```"],
  ["an unknown fence language", "```hidden\nseen\n```"],
  ["the same with tildes", "~~~ hidden `x`\nseen\n~~~"],
  ["the same in a list", "- ~~~ hidden\n  seen\n  ~~~"],
  ["a comment in a diagram", "```mermaid\ngraph TD\n%% hidden\nseen --> b\n```"],
  ["a comment behind a diagram's line", "```mermaid\nseen --> b %% hidden\n```"],
  ["a directive in a diagram", '```mermaid\n%%{init: {"a":\n"hidden"}}%%\nseen --> b\n```'],
  ["a diagram's settings", "```mermaid\n---\ntitle: seen\nconfig: hidden\n---\na --> b\n```"],
  ["a diagram's description", "```mermaid\nseen --> b\naccTitle: hidden\naccDescr { a\nhidden }\n```"],
  ["a diagram's tooltip", '```mermaid\nseen --> b\nclick b "https://x" "hidden"\n```'],
  ["a comment in a formula", "```math\nseen % hidden\n```"],
  ["a phantom in a formula", "```math\nseen \\phantom{hidden} \\hphantom{hidden}\n```"],
  ["a comment in a formula of a paragraph", "$$\nseen % hidden\n$$"],
  ["a map's properties", '```geojson\n{"type": "Feature", "properties": {"a": "hidden"}}\n```\n\nseen'],
  ["a model's name", "```stl\nsolid hidden\nendsolid\n```\n\nseen"],
  ["a script", "seen <script>hidden</script>"],
  ["a script as a block", "<script>\n\nhidden\n\n</script>\n\nseen"],
  ["a style", "<style>\n.a { content: 'hidden' }\n</style>\n\nseen"],
  ["a template", "<template>hidden</template>seen"],
  ["a vector image", "<svg><title>hidden</title><desc>hidden</desc></svg> seen"],
  ["text for browsers without ruby", "<ruby>seen<rp>hidden</rp><rt>seen</rt></ruby>"],
  ["unclosed text for browsers without ruby", "<ruby>seen<rp>hidden</ruby>"],
  ["a hidden input", '<input type="hidden" value="hidden">seen'],
  ["a list that ends a fence", "- seen\n  ```\n<!-- hidden -->\n"],
  ["a fence in HTML", "<div>\n```\n<!-- hidden -->\n```\n</div>\n\nseen"],
  ["a fence in preformatted HTML", "<pre>\n\n```\n<!-- hidden -->\n```\n</pre>\n\nseen"],
  ["a span in HTML", "<div>`<!-- hidden -->`seen</div>"],
  ["an escaped backtick", "seen \\`<!-- hidden -->`"],
  ["a span over lines", "seen ` b\nc ` <!-- hidden --> ` d"],
  ["a backtick in an attribute", 'seen <a title="`"> <!-- hidden --> `'],
  ["backticks in two cells", "| ` | <!-- hidden --> ` |\n|---|---|\n| seen | b |"],
  ["an indented fence closed at the margin", "  ```\n```\n<!-- hidden -->\n```"],
  ["a fence begun in an apparent comment", "a <!--\n\n```\n-->\n\n```\n<!-- hidden -->\n```"],
  ["a fence begun in a list's comment", "- a\n  <!-- x\n\n```\n-->\n```\n<!-- hidden -->\n```"],
  ["code in a title", '[seen](https://x "`hidden`")'],
  ["a line that only looks blank", "<div>\n\u00a0\n```\n<!-- hidden -->\n```"],
  ["tag characters", `seen${[..."hidden"].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join("")}`],
  ["a comment and a table", "<!-- hidden\n| hidden |\n|---|\n| hidden |"],
  ["a comment and a table below a paragraph", "seen\n<!-- | a |\n|---|\n| hidden |\n-->"],
  ["an instruction and a table", "<? a | b\n-|-\nhidden | hidden"],
  ["a section and a table", "<![CDATA[ a | hidden\n-|-\nhidden\n]]>\n\nseen"],
  ["a declaration and a table", "<!X a | hidden\n-|-\nhidden"],
  ["a comment and a table in a quote", "> seen\n>\n> <!-- a | hidden\n> -|-\n> hidden"],
  ["a comment and a table in a list", "- seen\n- <!-- a | hidden\n  -|-\n  hidden"],
  ["a comment behind an address with a backtick", "https://a.b/`<!-- hidden -->` seen"],
  ["a comment behind an unmatched run of backticks", "seen ``x` ` `<!-- hidden -->`"],
  ["a comment behind too many quotes to read", `${"> ".repeat(150)}<!-- hidden`],
  ["an item's comment behind a box", "- [ ] <!-- hidden -->"],
];

/** Text that GitHub shows although it looks hidden. */
const SHOWN: readonly (readonly [string, string])[] = [
  ["two dashes in a comment of a paragraph", "a <!-- seen -- seen -->"],
  ["a declaration in small letters", "a <!doctype seen>"],
  ["a footnote that only an unused one names", "a\n\n[^x]: b[^y]\n[^y]: seen"],
  ["a footnote that is named in an image's text", "a ![b[^x]](https://x)\n\n[^x]: seen"],
  ["an apparent footnote", "a [^b <!-- seen -->]"],
];

describe("stripHiddenText keeps what GitHub shows", () => {
  it.each(SHOWN)("in %s", (_name, text) => {
    expect(stripHiddenText(text)).toContain("seen");
  });
});

describe("stripHiddenText removes what GitHub hides", () => {
  it.each(PLACES)("in %s", (_name, text) => {
    const shown = stripHiddenText(text);
    expect(shown).not.toMatch(/hidden/i);
    expect(shown).not.toMatch(/[\u{e0000}-\u{e0fff}]/u);
    if (text.includes("seen")) expect(shown).toContain("seen");
  });

  it.each(PLACES)("in %s after other text", (_name, text) => {
    const shown = stripHiddenText(`Before\n\n> - a\n>   1. b\n\n${text}`);
    expect(shown).not.toMatch(/hidden/i);
    expect(shown).toContain("Before");
  });
});
