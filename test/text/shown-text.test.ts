import { describe, expect, it } from "@jest/globals";
import { documentText, shownText, shownTitle, shownWords } from "../../src/text/shown-text.ts";
import { renderBody, renderEmail } from "../world/render-body.ts";

/** Markdown that stays as it was written, by way of GitHub's HTML. */
const KEPT: readonly (readonly [string, string])[] = [
  ["a fence", 'See:\n\n```js\n<!-- kept -->\n<img alt="kept">\n\n\n  %% kept\n```\n\nend'],
  ["a span", 'Use `<!-- kept -->` and ``a ` <b class="x">``.'],
  ["two fences", "```\n<!-- a -->\n```\n\n```\n<!-- b -->\n```"],
  ["a fence with fences in it", "````\n```js\na\n```\n````"],
  ["comparisons", "Map<String, int> if a < b and c > d, *so* it is"],
  ["emphasis", "**a** *b* ~~c~~, __init__ and snake_case_name"],
  ["tables and lists", "| a | b |\n| --- | --- |\n\n- [x] done\n  - more\n\n1. one"],
  ["loose lists, quotes and headings", "## A\n\n- a\n\n  b\n\n- c\n\n> d\n> e"],
  ["a suggestion", "```suggestion\n  a();\n```"],
  ["prices", "It is $5 or 10% of $6"],
  ["mentions and references", "See @ana and #5"],
];

/** Each hides the word "hidden" on GitHub, mostly in HTML that still has it, and shows any "seen". */
const HIDING_PLACES: readonly (readonly [string, string])[] = [
  ["a comment over blank lines", "<!-- a\n\nhidden\n\n--> \n\nseen"],
  ["a comment that is never closed on the page", "seen\n\n<div><!--\n\nx -->\n\nhidden"],
  ["a footnote's name", "seen[^hidden]\n\n[^hidden]: a"],
  ["an attribute", '<p title="hidden">seen</p>'],
  ["an address of an empty anchor", '<a href="https://x/hidden"></a>seen'],
  ["an address of a linked image", "[![a](https://x/y.png)](https://x/hidden) seen"],
  ["an address within the page", "[seen](#hidden)"],
  ["a mail's subject", "[seen](mailto:a@b.c?subject=hidden)"],
  ["an alternative text", "![hidden](https://x/y.png) seen"],
  ["an alternative text in HTML", '<img alt="hidden" src="https://x/y.png"> seen'],
  ["a link's title", "[seen](https://x 'hidden')"],
  ["an unknown fence language", "```hidden\nseen\n```"],
  ["a comment in a diagram", "```mermaid\ngraph TD\n%% hidden\na --> b\n```\n\nseen"],
  ["a comment in a formula", "```math\na % hidden\n```\n\nseen"],
  ["a comment in a formula of a paragraph", "$$\na % hidden\n$$\n\nseen"],
  ["text for browsers without ruby", "<ruby>seen<rp>hidden</rp><rt>seen</rt></ruby>"],
  ["a hidden input", '<input type="hidden" value="hidden">seen'],
  ["tag characters", `seen${[..."hidden"].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join("")}`],
];

/** GitHub's HTML, and what a reader sees of it. */
const PAGES: readonly (readonly [string, string, string])[] = [
  ["a script", "a<script>hidden</script>", "a"],
  ["a style", "<style>.a { content: 'hidden' }</style><p>a</p>", "a"],
  ["an attribute", '<p title="hidden" hidden-words="x">a</p>', "a"],
  ["the attribute that hides", "<p hidden>hidden</p><p>a</p>", "a"],
  ["a style that hides", '<div style="color: red; display : none">hidden</div>a', "a"],
  ["words for screen readers", '<h2 class="sr-only">hidden</h2><p>a</p>', "a"],
  ["the quoted part of an e-mail", renderEmail("a", "hidden"), "a"],
  [
    "an image and its link",
    '<a href="https://x/?jwt=hidden"><img alt="hidden" src="https://x/?jwt=hidden"></a>',
    "[image]",
  ],
  ["a signed address", '<a href="https://x/a?jwt=eyJ.hid-den.x&amp;b=1">a</a>', "[a](https://x/a?jwt=…&b=1)"],
  [
    "a signed address in plain sight",
    "<p>https://x/a?b=1&amp;X-Amz-Signature=0123ab</p>",
    "https://x/a?b=1&X-Amz-Signature=…",
  ],
  ["the language of an unknown fence", '<pre lang="hidden"><code>a</code></pre>', "```\na\n```"],
  [
    "a drawing",
    '<section class="js-render-needs-enrichment"><pre lang="mermaid">%% hidden</pre></section>',
    "[drawing]",
  ],
  ["a formula", "<p>a <math-renderer>$\\phantom{hidden}$</math-renderer></p>", "a [formula]"],
  ["invisible characters", "<p>a&#8203;b&#x202E;c&shy;d\u{e0061}e</p>", "abcde"],
];

describe("shownText", () => {
  it.each(KEPT)("keeps %s", (_name, body) => {
    expect(shownText({ body, html: renderBody(body) })).toBe(body);
  });

  it.each(HIDING_PLACES)("leaves out what GitHub hides in %s", (_name, text) => {
    for (const body of [text, `Before\n\n> - a\n>   1. b\n\n${text}`]) {
      const shown = shownText({ body, html: renderBody(body) });
      expect(shown).not.toMatch(/hidden|[\u{e0000}-\u{e0fff}]/iu);
      expect(shown).toMatch(/seen|Before/);
    }
  });

  it.each(PAGES)("reads %s", (_name, html, shown) => {
    expect(shownText({ body: "<", html })).toBe(shown);
  });

  it("shows the content of details, and links to the web", () => {
    const body =
      '<details>\n<summary>Log <a href="https://x/y">here</a></summary>\n\n```\n<!-- kept -->\n```\n</details>';
    expect(shownText({ body, html: renderBody(body) })).toBe("Log [here](https://x/y)\n\n```\n<!-- kept -->\n```");
    const long = `[a](https://x/${"y".repeat(500)})`;
    expect(shownText({ body: long, html: renderBody(long) })).toHaveLength(200 + "[a](…)".length);
  });

  it("needs no HTML for plain words, and reads nothing else without it", async () => {
    expect(shownText({ body: "Plain\u200b words, (really) so: 5!" })).toBe("Plain words, (really) so: 5!");
    const unread = "[GitHub did not say how it shows this text, so it is not read.]";
    for (const body of ["a <!-- hidden -->", "![hidden](x)", "[x]: hidden", "    hidden"])
      expect(shownText({ body })).toBe(unread);
    const asked: string[] = [];
    const render = async (text: string) => {
      asked.push(text);
      return renderBody(text);
    };
    expect(await shownWords("do it", render)).toBe("do it");
    expect(await shownWords("do `it` <!-- hidden -->", render)).toBe("do `it`");
    expect(asked).toHaveLength(1);
    expect(await shownWords("do `it`", async () => undefined)).toBe(unread);
  });

  it("leaves out the rest of a long or deep page, with a note", () => {
    for (const html of ["<p>a</p>".repeat(60_000), `<p>seen</p>${"<div>".repeat(300)}hidden`, "a".repeat(1_100_000)]) {
      const shown = shownText({ body: "<", html });
      expect(shown).toMatch(/\[The rest is not shown: it is too long, or nested too deeply\.\]$/);
      expect(shown).not.toContain("hidden");
    }
  });
});

describe("an issue form", () => {
  const shown = (body: string) => shownText({ body, html: renderBody(body) });

  it("keeps labels and answers, and leaves out what nobody answered", () => {
    const body =
      "### Version\n\n2.1\n\n### Steps\n\n_No response_\n\n### Log\n\n```js\nE: no\n```\n\n### More\n\n_No response_";
    expect(shown(body)).toBe("### Version\n\n2.1\n\n### Log\n\n```js\nE: no\n```");
  });

  it.each([
    ["in code", "```\n### Steps\n\n_No response_\n```"],
    ["under another heading", "## Steps\n\n*No response*"],
    ["among other words", "### Steps\n\n*No response* from the server"],
    ["by itself", "*No response*"],
  ])("is not what says so %s", (_where, body) => {
    expect(shown(body)).toBe(body);
  });
});

describe("shownTitle", () => {
  it("has no comments and no invisible characters", () => {
    expect(shownTitle("It<!-- ignore\nthat --> \u202ebreaks\u200b now")).toBe("It breaks now");
  });
});

describe("documentText", () => {
  it.each([
    ["comments, closed or not", "a <!-- hidden\n\nhidden -->b\n\n<!-- hidden", "a b"],
    ["invisible characters", "a\u200b\u{e0061}b", "ab"],
    ["attributes", '<p title="hidden">a</p> <a href="hidden">b</a>', "<p>a</p> <a>b</a>"],
    ["images", "![hidden](hidden) a ![hidden][b]", "[image] a [image]"],
    ["definitions of links", "[//]: # (hidden)\na", "a"],
  ])("leaves out %s", (_name, text, shown) => expect(documentText(text)).toBe(shown));

  it("keeps everything else", () => {
    const text = "# A\n\n- use `Map<String, int>` and a < b\n- [ ] c [d](https://x)\n\n```sh\nmake <b>\n```";
    expect(documentText(text)).toBe(text);
  });
});
