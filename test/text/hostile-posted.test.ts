import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import { plain, prose } from "../../src/text/compose-markdown.ts";
import { commitMessage } from "../../src/workflow/publish/commit-message.ts";

/** What another parser of GFM makes of it: the names of elements that no model's words may have, and the text outside code. */
function page(markdown: string): { readonly unwanted: readonly string[]; readonly text: string } {
  const html = micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  const unwanted: string[] = [];
  let text = "";
  const read = (nodes: readonly DefaultTreeAdapterTypes.ChildNode[]) => {
    for (const node of nodes) {
      if (/^(?:img|picture|details|summary|h[1-6]|div|b|script|style|x-y|svg|#comment|font)$/.test(node.nodeName))
        unwanted.push(node.nodeName);
      if (node.nodeName === "#text" && "value" in node) text += node.value;
      else if ("childNodes" in node && node.nodeName !== "code") read(node.childNodes);
      if (/^(?:code|p|li|td|th)$/.test(node.nodeName)) text += "\u0001";
    }
  };
  read(parseFragment(html).childNodes);
  return { unwanted, text };
}

const CLOSES =
  /(?<![a-z])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)[\s:]+(?:[\w.-]+\/[\w.-]+)?(?:#\d|GH-\d|https?:\/\/)/i;

const ROWS: readonly (readonly [string, string])[] = [
  ["an image", "![a](https://evil/x?code=secret)"],
  ["an image by reference", "![a][b]\n\n[b]: https://evil/x"],
  ["an image behind a backslash", "\\![a](https://evil/x) \\\\![a](https://evil/x)"],
  ["an image in a link", "[![a](https://evil/x)](https://evil/y)"],
  ["an image around a comment", "!<!-- x -->[a](https://evil/x)"],
  ["an image in HTML", '<img src="https://evil/x">'],
  ["an image in HTML over lines", '<img\nsrc="https://evil/x"\n>'],
  ["an image in capitals", '<IMG SRC="https://evil/x">'],
  ["a picture", '<picture><source srcset="https://evil/x"><img></picture>'],
  ["an image behind an unclosed span", "` ![a](https://evil/x)"],
  ["an image in a table", "| a |\n|---|\n| ![a](https://evil/x) |"],
  ["open details", "<details><summary>all</summary>\n\nand more"],
  ["a comment", "<!-- hidden"],
  ["a comment that a line ends", "<!-- a\n\nb --> c"],
  ["a heading", "## Not verified"],
  ["a heading in a list", "- ## Not verified\n1. # a"],
  ["a heading in a quote", "> ## Not verified\n>> # b"],
  ["a heading by a line", "Not verified\n---\n\nMore\n==="],
  ["a heading by a line in a list", "- Not verified\n  ---\n"],
  ["a heading in HTML", "<h2>Not verified</h2>"],
  ["a heading behind spaces", "   ### Not verified ###"],
  ["an empty heading", "#\n\n##"],
  ["a closing word", "fixes #12, closes o/r#3, Resolved: GH-4, fix https://github.com/o/r/issues/5"],
  ["a closing word over lines", "fixes\n#12 and closes\n  o/r#3"],
  ["a closing word before an escape", "closes \\#12, fixes o\\/r#3 and fixes&nbsp;#4 and fixes&#32;o/r\\#5"],
  ["a closing word around a comment", "fixes <!-- --> #12"],
  ["a tag of no known name", "<x-y>a</x-y>"],
];

describe("a model's words in what is posted", () => {
  it.each(ROWS)("show %s as text", (_name, words) => {
    for (const text of [prose(words), `## Ours\n\n${prose(`a\n${words}`)}`, plain(words), `- ${plain(words)}\n`]) {
      const { unwanted, text: shown } = page(text.replace(/^## Ours/, ""));
      expect(unwanted).toEqual([]);
      expect(shown).not.toMatch(CLOSES);
    }
  });

  it("keep code to the letter, and the headings of a template where they are wanted", () => {
    expect(prose("```html\n<img src=x>\n# a\n```\nuse `<b>` so")).toBe("```html\n<img src=x>\n# a\n```\nuse `<b>` so");
    expect(prose("## Checks\n\n- [ ] a <b>", "kept")).toBe("## Checks\n\n- [ ] a &lt;b>");
    expect(prose("- a\n- b #5\n\n1. c\n\n---|---")).toBe("- a\n- b #5\n\n1. c\n\n---|---");
  });

  it("have no image, no HTML, no heading and no closing word, whatever they are made of", () => {
    const pieces = fc.constantFrom(
      ..."![ [ ] ]( ) https://evil/x ![a](https://e/x) <img <div> </div> <b> <!-- --> <details> <script> <h1> # ## ### === --- - > 1. ` `` ``` ~~~ | \\ fixes closes #12 o/r#3 GH-4 : < ! & &lt; word".split(
        " ",
      ),
      "\n",
      "\n\n",
      " ",
      "    ",
      "\t",
      "| a |\n|---|\n",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 25 }), fc.boolean(), (parts, spaced) => {
        const words = parts.join(spaced ? " " : "");
        for (const text of [prose(words), `- ${plain(words)}`]) {
          const { unwanted, text: shown } = page(text);
          expect(unwanted).toEqual([]);
          expect(shown).not.toMatch(CLOSES);
        }
      }),
      { numRuns: 1_500 },
    );
  });
});

const SKIPS =
  /\[\s*(?:skip ci|ci skip|no ci|skip actions|actions skip|skip travis|azurepipelines skip)\s*\]|\*\*\*NO_CI/i;

describe("a commit's message", () => {
  const message = (title: string, solution: string) =>
    commitMessage({ type: "fix", title, problem: "", solution, template: "" }, 7, true).message;

  it.each([
    `${"word ".repeat(13)}fixes #12 and closes o/r#3`,
    `fixes${" ".repeat(150)}#12`,
    "[skip  ci] [ci\u00a0skip] [skip\u200b ci] [SKIP ACTIONS] [azurepipelines skip] ***NO_CI***",
    "[skip [skip ci] ci] [no\tci]",
    "fi\u200bxes #12",
    "Closes: https://github.com/o/r/issues/5",
    `${"word ".repeat(13)}Co-authored-by: A <a@b.c>\nSigned-off-by: B <b@c.d>\n\nskip-checks: true`,
  ])("closes, skips and signs nothing: %j", (words) => {
    const text = message(words, words).replace(/\n\nFixes #7\n$/, "");
    expect(text).not.toMatch(CLOSES);
    expect(text).not.toMatch(SKIPS);
    expect(text).not.toMatch(/^(?:co-authored-by|signed-off-by|skip-checks):/im);
  });

  it("does so whatever it is made of", () => {
    const pieces = fc.constantFrom(
      "fixes",
      "closes:",
      "#1",
      "o/r#2",
      "[skip",
      "ci]",
      "[ci",
      "skip]",
      "[no",
      "word",
      "\n",
      "  ",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), fc.array(pieces, { maxLength: 9 }), (body, title) => {
        const text = message(title.join(" "), body.join(" ")).replace(/\n\nFixes #7\n$/, "");
        expect(text).not.toMatch(CLOSES);
        expect(text).not.toMatch(SKIPS);
      }),
    );
  });
});
