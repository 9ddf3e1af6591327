import { describe, expect, it } from "@jest/globals";
import stringWidth from "string-width";
import { paragraph } from "../../../src/report/run/document.ts";
import { markdownNodes, titleWords } from "../../../src/report/run/markdown.ts";
import { fc } from "../../seeded.ts";
import { HOSTILE } from "./hostile-report.ts";
import { nodesAsHtml, nodesAsLines } from "./rendered.ts";

/** What says nothing about the structure is left out. */
const html = (text: string) =>
  nodesAsHtml(markdownNodes(text)).replaceAll(/ (?:dir="auto"|class="plain"|tabindex="0")/g, "");

const lines = (text: string, columns = 80) => nodesAsLines(markdownNodes(text), columns);

const LINK = 'rel="noopener noreferrer"';

describe("Markdown in a run", () => {
  it.each([
    ["**bold** and `code`", "<p><strong>bold</strong> and <code>code</code></p>", ["bold and code"]],
    ["~~no~~ _so_", "<p><s>no</s> <em>so</em></p>", ["~~no~~ so"]],
    ["run `npm test` now", "<p>run <code>npm test</code> now</p>", ["run “npm test” now"]],
    ["two\nlines", "<p>two\nlines</p>", ["two", "lines"]],
    ["# Title\ntext", "<h4>Title</h4><p>text</p>", ["Title", "", "text"]],
    ["- a\n- b\n  - c", "<ul><li><p>a</p></li><li><p>b</p><ul><li><p>c</p></li></ul></li></ul>", undefined],
    ["3. a\n4. b", '<ol start="3"><li><p>a</p></li><li><p>b</p></li></ol>', ["3. a", "4. b"]],
    ["> said\n> so", "<blockquote><p>said\nso</p></blockquote>", ["> said", "> so"]],
    ["```js\na < b\n```", '<pre class="box"><code>a &lt; b\n</code></pre>', ["| a < b"]],
    ["    indented", '<pre class="box"><code>indented\n</code></pre>', ["| indented"]],
    ["a\n\n---\n\nb", "<p>a</p><hr><p>b</p>", ["a", "", "─".repeat(20), "", "b"]],
    ["<b>raw</b> &lt;", "<p>&lt;b&gt;raw&lt;/b&gt; &lt;</p>", ["<b>raw</b> <"]],
    ["money.js and ana@x.example", "<p>money.js and ana@x.example</p>", ["money.js and ana@x.example"]],
    [
      "[site](https://x.example/?a=1&b=2) https://y.example",
      `<p><a href="https://x.example/?a=1&amp;b=2" ${LINK}>site</a> <a href="https://y.example" ${LINK}>https://y.example</a></p>`,
      ["site (https://x.example/?a=1&b=2) https://y.example"],
    ],
    [
      "| in | out |\n| --- | ---: |\n| `a` | **b** |\n| 日本 |",
      '<div class="box"><table><thead><tr><th>in</th><th>out</th></tr></thead><tbody><tr><td><code>a</code></td><td><strong>b</strong></td></tr><tr><td>日本</td><td></td></tr></tbody></table></div>',
      ["in    out", "────  ───", "a     b", "日本"],
    ],
  ])("is shown as on GitHub: %j", (text, page, terminal) => {
    expect(html(text)).toBe(page);
    if (terminal) expect(lines(text)).toEqual(terminal);
  });

  it.each([
    ["![a cat](https://x.example/cat.png)", "https://x.example/cat.png", "[image: a cat]"],
    ["![](https://x.example/cat.png)", "https://x.example/cat.png", "[image]"],
    ["[![a cat](https://x.example/c.png)](https://y.example)", "https://y.example", "[image: a cat]"],
  ])("loads no image: %s", (text, href, shown) => {
    expect(html(text)).toBe(`<p><a href="${href}" ${LINK}>${shown}</a></p>`);
    expect(lines(text)).toEqual([`${shown} (${href})`]);
  });

  it("shows no back-ticks in a title, and takes nothing else there for Markdown", () => {
    const words = titleWords("Fix `round(x)` in *a* __init__.py");
    expect(nodesAsLines([paragraph(words)], 80)).toEqual(["Fix round(x) in *a* __init__.py"]);
    expect(nodesAsHtml([paragraph(words)])).toContain("Fix <code>round(x)</code> in *a* __init__.py</p>");
  });
});

describe("hostile Markdown", () => {
  it.each([
    "[x](javascript:alert(1))",
    "[x](&#x6A;avascript&colon;alert(1))",
    "[x](<java\tscript:alert(1)>)",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](//x.example/a)",
    "[x](../secrets.txt)",
    "[x]()",
    "<javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
    "![x](data:image/png;base64,iVBORw0KGgo=)",
  ])("makes no link and no image: %s", (text) => {
    expect(html(text)).not.toMatch(/<a |<img|href=|src=/);
  });

  it("shows hidden characters by their numbers, also those that entities write", () => {
    expect(html("a\u202eb &#x202E; &#8203; \u0000 `\u200b`")).toBe(
      "<p>a⟨U+202E⟩b ⟨U+202E⟩ ⟨U+200B⟩ \ufffd <code>⟨U+200B⟩</code></p>",
    );
  });

  const words =
    "](|[|![|](https://x.example |<script>|<a href=|javascript:|data:image/png,|https://x.example/|&lt;|&#60;|&#27;|&#x9b;1m| onclick=|style=|a-long-word-without-end|日本語";
  const marks = '|;```;`;\n;\n\n;\n| a | b |\n|:-|-:|\n;> ;- ;1. ;# ;*;~~;<;>;";\\;    ;\u001b[2J'.split(";");
  const text = fc
    .array(fc.tuple(fc.constantFrom(HOSTILE, ...words.split("|"), ...marks), fc.string({ maxLength: 3 })))
    .map((parts) => parts.flat().join(""));

  it("is made of a few tags and attributes alone, whatever is written", () => {
    const plain = /^<\/?(?:p|hr|strong|em|s|code|blockquote|ul|ol|li|h[3-6]|table|thead|tbody|tr|th|td|div|a|pre)>$/;
    const withAttributes = /^<(?:ol start="\d+"|(?:div|pre) class="box")>$/;
    const link = /^<a href="https?:\/\/[^"<>]*" rel="noopener noreferrer">$/;
    const isAllowed = (tag: string) => [plain, withAttributes, link].some((pattern) => pattern.test(tag));
    const random = fc.property(text, (written) => {
      const page = html(written);
      const tags = [...page.matchAll(/</g)].map(({ index }) => page.slice(index, page.indexOf(">", index) + 1));
      expect(tags.filter((tag) => !isAllowed(tag))).toEqual([]);
    });
    fc.assert(random, { numRuns: 300 });
  });

  it("lets nothing control the terminal, entities included", () => {
    for (const one of ["&#27;[2J&#x9b;1m", "`&#27;`", "[x](https://a.example/&#27;)", "```\n\u001b[2J\n```"])
      expect(lines(one).join("\n")).not.toMatch(/[^\P{Cc}\n]/u);
    fc.assert(fc.property(text, (written) => expect(lines(written).join("\n")).not.toMatch(/[^\P{Cc}\n]/u)));
  });
});

describe("a table on the terminal", () => {
  it("is shown cell by cell where there is no room for its columns", () => {
    const wide = "| a | b | c | d |\n|---|---|---|---|\n| one one one | two two two | three three | four four four |";
    expect(lines(wide, 40)).toEqual(["a: one one one", "b: two two two", "c: three three", "d: four four four"]);
  });

  it("keeps within the width, whatever is in it", () => {
    const cell = fc.array(fc.constantFrom("word", "日本語", "`code`", "**bold**", "a-long-word-without-end"), {
      maxLength: 9,
    });
    const row = fc
      .array(cell, { minLength: 3, maxLength: 3 })
      .map((cells) => `| ${cells.map((one) => one.join(" ")).join(" | ")} |`);
    fc.assert(
      fc.property(row, fc.array(row, { maxLength: 4 }), fc.integer({ min: 40, max: 100 }), (head, rows, width) => {
        const shown = lines([head, "|---|---|---|", ...rows].join("\n"), width);
        expect(shown.filter((line) => stringWidth(line) > width)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});
