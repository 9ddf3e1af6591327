import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import stringWidth from "string-width";
import { markdownLines } from "../../../src/cli/show/page-markdown.ts";
import { HOSTILE } from "./hostile-report.ts";

const plain = { bold: (text: string) => text, head: (text: string) => text, quiet: (text: string) => text };
const marked = { ...plain, bold: (text: string) => `<b>${text}</b>`, head: (text: string) => `<h>${text}</h>` };

describe("Markdown on the terminal", () => {
  it.each([
    ["# Title\n\nSome **bold** `code`.", ["<h>Title</h>", "", "Some <b>bold</b> `code`."]],
    ["one\ntwo", ["one", "two"]],
    ["- a\n- b\n  - c\n", ["- a", "- b", "  - c"]],
    ["3. a\n4. b", ["3. a", "4. b"]],
    ["> said\n> so\n\nno", ["> said", "> so", "", "no"]],
    ["text\n\n```js\na < b\n```", ["text", "", "| a < b"]],
    ["[site](https://x.example/) and https://y.example", ["site (https://x.example/) and https://y.example"]],
    ["![a cat](https://x.example/c.png)", ["[image: a cat] (https://x.example/c.png)"]],
    ["<b>raw</b> &lt;", ["<b>raw</b> <"]],
    ["- > said\n- - deep\n  > more", ["- > said", "- - deep", "", "  > more"]],
    [
      "text\n\n| in | out |\n|---|--:|\n| `a` | **b** |\n| 日本 |\n\nmore",
      ["text", "", "<b>in</b>   │ <b>out</b>", "─────┼─────────", "`a`  │ <b>b</b>", "日本 │", "", "more"],
    ],
    ["- item\n\n  | a |\n  |---|\n  | b |", ["- item", "", "  <b>a</b>", "  ─", "  b"]],
  ])("shows %j", (text, lines) => {
    expect(markdownLines(text, 80, marked)).toEqual(lines);
  });

  const table =
    "| file | what was said of it |\n|---|---|\n| src/money.js | it rounds every amount down, one after another |";

  it("breaks the cells of a table that is too wide", () => {
    expect(markdownLines(table, 40, plain)).toEqual([
      "file         │ what was said of it",
      "─────────────┼──────────────────────────",
      "src/money.js │ it rounds every amount",
      "             │ down, one after another",
    ]);
  });

  it("shows a table that has no room for its columns cell by cell", () => {
    expect(markdownLines(table, 20, plain)).toEqual([
      "file: src/money.js",
      "what was said of it:",
      "it rounds every",
      "amount down, one",
      "after another",
    ]);
  });

  it("keeps tables within the width, whatever is in them", () => {
    const cell = fc.array(fc.constantFrom("word", "日本語", "`code`", "**bold**", "a-long-word-without-end"), {
      maxLength: 9,
    });
    const row = fc.array(
      cell.map((words) => words.join(" ")),
      { minLength: 4, maxLength: 4 },
    );
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), fc.integer({ min: 20, max: 100 }), (rows, width) => {
        const [head = [], ...body] = rows.map((cells) => `| ${cells.join(" | ")} |`);
        const lines = markdownLines([head, "|---|---|---|---|", ...body].join("\n"), width, plain);
        expect(lines.filter((line) => stringWidth(line) > width)).toEqual([]);
      }),
    );
  });

  it("lets nothing control the terminal, entities included", () => {
    for (const text of [
      HOSTILE,
      "&#27;[2J&#x9b;1m",
      "`&#27;`",
      "[x](https://a.example/&#27;)",
      "```\n\u001b[2J\n```",
    ]) {
      expect(markdownLines(text, 80, plain).join("\n")).not.toMatch(/[^\P{Cc}\n]/u);
    }
    const text = fc.array(fc.constantFrom("&#27;", "[", "](", "*", "`", "\n", "> ", "- ", "\u001b[", "a", "| "));
    fc.assert(
      fc.property(text, (parts) => {
        expect(markdownLines(parts.join(""), 40, plain).join("\n")).not.toMatch(/[^\P{Cc}\n]/u);
      }),
    );
  });
});
