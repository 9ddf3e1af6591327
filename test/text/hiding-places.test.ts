import { describe, expect, it } from "@jest/globals";
import { shownText } from "../../src/text/shown-text.ts";
import { renderBody } from "../world/render-body.ts";

const shownOf = (body: string) => shownText({ body, html: renderBody(body) });

/** Each hides the word "hidden" on GitHub, mostly in HTML that still has it, and shows any "seen". */
const PLACES: readonly (readonly [string, string])[] = [
  ["a comment over blank lines", "<!-- a\n\nhidden\n\n--> \n\nseen"],
  ["a comment that is never closed on the page", "seen\n\n<div><!--\n\nx -->\n\nhidden"],
  ["an unused reference", "seen\n\n[hidden]: https://x"],
  ["a used reference's title", '[seen][x]\n\n[x]: https://x "hidden"'],
  ["a footnote's name", "seen[^hidden]\n\n[^hidden]: a"],
  ["an attribute", '<p title="hidden">seen</p>'],
  ["an address of an empty anchor", '<a href="https://x/hidden"></a>seen'],
  ["an address of an anchor with a space", '<a href="https://x/hidden"> &#8203;&nbsp;</a>seen'],
  ["an address of an empty link", "[](https://x/hidden)seen"],
  ["an address of a linked image", "[![a](https://x/y.png)](https://x/hidden) seen"],
  ["an attribute in a tag over lines", '<img\nalt="hidden"\nsrc="https://x/y.png"> seen'],
  ["an address within the page", "[seen](#hidden)"],
  ["a mail's subject", "[seen](mailto:a@b.c?subject=hidden)"],
  ["an alternative text", "![hidden](https://x/y.png) seen"],
  ["an alternative text with nested brackets", "![a [b [hidden] c] d](https://x/y.png) seen"],
  ["an alternative text with a link", "![a [hidden](https://y) b](https://x/y.png) seen"],
  ["an alternative text with an image", "![a ![hidden](https://y) b](https://x/y.png) seen"],
  ["an alternative text with code", "![`hidden`](https://x/y.png) seen"],
  ["an alternative text by reference", "![hidden][x] seen\n\n[x]: https://x/y.png"],
  ["an alternative text that is its reference", "![hidden][] ![hidden] seen\n\n[hidden]: https://x/y.png"],
  ["an alternative text in HTML", '<img alt="hidden" src="https://x/y.png"> seen'],
  ["an image's title", '![](https://x/y.png "hidden") seen'],
  ["a link's title", "[seen](https://x 'hidden')"],
  ["a link's title with an escape", '[seen](https://x "a\\"hidden")'],
  ["an unknown fence language", "```hidden\nseen\n```"],
  ["the same with tildes", "~~~ hidden `x`\nseen\n~~~"],
  ["the same in a list", "- ~~~ hidden\n  seen\n  ~~~"],
  ["a comment in a diagram", "```mermaid\ngraph TD\n%% hidden\na --> b\n```\n\nseen"],
  ["a comment behind a diagram's line", "```mermaid\na --> b %% hidden\n```\n\nseen"],
  ["a directive in a diagram", '```mermaid\n%%{init: {"a":\n"hidden"}}%%\na --> b\n```\n\nseen'],
  ["a diagram's settings", "```mermaid\n---\ntitle: a\nconfig: hidden\n---\na --> b\n```\n\nseen"],
  ["a diagram's description", "```mermaid\na --> b\naccTitle: hidden\naccDescr { a\nhidden }\n```\n\nseen"],
  ["a diagram's tooltip", '```mermaid\na --> b\nclick b "https://x" "hidden"\n```\n\nseen'],
  ["a comment in a formula", "```math\na % hidden\n```\n\nseen"],
  ["a phantom in a formula", "```math\na \\phantom{hidden} \\hphantom{hidden}\n```\n\nseen"],
  ["a comment in a formula of a paragraph", "$$\na % hidden\n$$\n\nseen"],
  ["a map's properties", '```geojson\n{"type": "Feature", "properties": {"a": "hidden"}}\n```\n\nseen'],
  ["a model's name", "```stl\nsolid hidden\nendsolid\n```\n\nseen"],
  ["text for browsers without ruby", "<ruby>seen<rp>hidden</rp><rt>seen</rt></ruby>"],
  ["unclosed text for browsers without ruby", "<ruby>seen<rp>hidden</ruby>"],
  ["a hidden input", '<input type="hidden" value="hidden">seen'],
  ["code in a title", '[seen](https://x "`hidden`")'],
  ["tag characters", `seen${[..."hidden"].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join("")}`],
];

describe("shownText leaves out what GitHub hides", () => {
  it.each(PLACES)("in %s", (_name, text) => {
    const shown = shownOf(text);
    expect(shown).not.toMatch(/hidden/i);
    expect(shown).not.toMatch(/[\u{e0000}-\u{e0fff}]/u);
    if (text.includes("seen")) expect(shown).toContain("seen");
  });

  it.each(PLACES)("in %s after other text", (_name, text) => {
    const shown = shownOf(`Before\n\n> - a\n>   1. b\n\n${text}`);
    expect(shown).not.toMatch(/hidden/i);
    expect(shown).toContain("Before");
  });
});
