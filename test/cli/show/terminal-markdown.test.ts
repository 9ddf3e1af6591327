import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
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
  ])("shows %j", (text, lines) => {
    expect(markdownLines(text, 80, marked)).toEqual(lines);
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
