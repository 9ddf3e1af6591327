import { describe, expect, it } from "@jest/globals";
import fc, { array, constantFrom, property, string, tuple } from "fast-check";
import { renderMarkdown } from "../../../src/cli/show/page-markdown.ts";
import { HOSTILE } from "./hostile-report.ts";

const inner = (text: string) =>
  renderMarkdown(text, 3)
    .replace(/^<div class="markdown" dir="auto">/, "")
    .replace(/<\/div>$/, "")
    .trim();

const LINK = 'rel="noopener noreferrer"';

describe("Markdown on the page", () => {
  it.each([
    ["**bold** and `code`", "<p><strong>bold</strong> and <code>code</code></p>"],
    ["two\nlines", "<p>two<br>\nlines</p>"],
    ["# Title\n###### Deep", "<h3>Title</h3>\n<h6>Deep</h6>"],
    ["- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"],
    ["```js\na < b\n```", '<pre class="box" tabindex="0"><code>a &lt; b\n</code></pre>'],
    ["    indented", '<pre class="box" tabindex="0"><code>indented\n</code></pre>'],
    ["[site](https://x.example/?a=1&b=2)", `<p><a href="https://x.example/?a=1&amp;b=2" ${LINK}>site</a></p>`],
    ["https://x.example/a", `<p><a href="https://x.example/a" ${LINK}>https://x.example/a</a></p>`],
    ["money.js and ana@x.example", "<p>money.js and ana@x.example</p>"],
  ])("shows %j as on GitHub", (text, html) => {
    expect(inner(text)).toBe(html);
  });

  it("shows a table in a box of its own", () => {
    const html = inner("| a | b |\n| --- | ---: |\n| 1 | 2 |");
    expect(html).toMatch(/^<div class="box" tabindex="0"><table>[\s\S]*<td>1<\/td>[\s\S]*<\/table><\/div>$/);
  });

  it.each([
    ["![a cat](https://x.example/cat.png)", `<a href="https://x.example/cat.png" ${LINK}>[image: a cat]</a>`],
    ["![](https://x.example/cat.png)", `<a href="https://x.example/cat.png" ${LINK}>[image]</a>`],
    [
      "[![a cat](https://x.example/c.png)](https://y.example)",
      `<a href="https://y.example" ${LINK}>[image: a cat]</a>`,
    ],
    ['![<b>"](https://x.example/c.png)', `<a href="https://x.example/c.png" ${LINK}>[image: &lt;b&gt;&quot;]</a>`],
  ])("loads no image: %s", (text, html) => {
    expect(inner(text)).toBe(`<p>${html}</p>`);
  });

  it.each([
    "<script>window.hacked=1</script>",
    '<img src=x onerror="window.hacked=1">',
    '<a href="javascript:alert(1)">x</a>',
    "<style>body{display:none}</style>",
    "<!-- comment -->",
    "</div></main>",
  ])("shows HTML as text: %s", (text) => {
    expect(inner(text)).not.toMatch(/<(?!\/?p>|br>)/);
    expect(inner(text)).toContain("&lt;");
  });

  it.each([
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java&#115;cript:alert(1))",
    "[x](&#x6A;avascript&colon;alert(1))",
    "[x](<java\tscript:alert(1)>)",
    "[x](vbscript:x)",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](file:///etc/passwd)",
    "[x](//x.example/a)",
    "[x](../secrets.txt)",
    "[x](#calls)",
    "[x]()",
    "![x]()",
    "<javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
    "![x](data:image/png;base64,iVBORw0KGgo=)",
    "![x](data:image/svg+xml,%3Csvg%3E)",
    "![x](javascript:alert(1))",
  ])("makes no link and no image of %s", (text) => {
    expect(inner(text)).not.toMatch(/<a |<img|href|src/);
  });

  it.each([
    ['[x](https://x.example/"onclick=alert(1)//)', '"'],
    ['[x](https://x.example "\\"onclick=alert(1)")', "title"],
    ["```js onclick=alert(1) class=x\na\n```", "onclick"],
    ['[x](https://x.example){onclick="alert(1)"}', "<a onclick"],
  ])("gives nobody an attribute: %s", (text, absent) => {
    const attributes = [...inner(text).matchAll(/<[^>]*>/g)]
      .join("")
      .replaceAll(/(href|rel|class|tabindex)="[^"]*"/g, "");
    expect(attributes).not.toContain(absent);
    expect(attributes).not.toContain("=");
  });

  it("shows hidden characters by their numbers, also those that entities write", () => {
    expect(inner("a\u202eb &#x202E; &#8203; \u0000 `\u200b`")).toBe(
      "<p>a⟨U+202E⟩b ⟨U+202E⟩ ⟨U+200B⟩ \ufffd <code>⟨U+200B⟩</code></p>",
    );
  });

  it("is made of these tags and attributes alone, whatever is written", () => {
    const words =
      "](|[|![|](https://x.example |<script>|<a href=|javascript:|data:image/png,|https://x.example/|&lt;|&#60;| onclick=|style=";
    const marks = [
      "|",
      "```",
      "`",
      "\n",
      "\n\n",
      "\n| a | b |\n|:-|-:|\n",
      "> ",
      "- ",
      "1. ",
      "# ",
      "*",
      "~~",
      "<",
      ">",
      '"',
      "\\",
      "    ",
    ];
    const part = tuple(constantFrom(HOSTILE, ...words.split("|"), ...marks), string({ maxLength: 3 }));
    const tag =
      /^<(?:\/?(?:p|br|hr|strong|em|s|code|blockquote|ul|ol|li|h[3-6]|table|thead|tbody|tr|th|td|div)|\/?a|\/pre|ol start="\d+"|t[hd] style="text-align:(?:left|center|right)"|(?:div|pre) class="box" tabindex="0"|a href="https?:\/\/[^"<>]*" rel="noopener noreferrer")>$/;
    const random = property(array(part), (parts) => {
      const html = inner(parts.flat().join(""));
      const tags = [...html.matchAll(/</g)].map(({ index }) => html.slice(index, html.indexOf(">", index) + 1));
      for (const one of tags) expect(one).toMatch(tag);
    });
    fc.assert(random, { numRuns: 300 });
  });
});
