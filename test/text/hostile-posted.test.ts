import { describe, expect, it } from "@jest/globals";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import { commitMessage } from "../../src/publish/commit-message.ts";
import { plain, prose, webLink } from "../../src/text/compose-markdown.ts";
import { postedMarkdown } from "../../src/text/posted.ts";
import { fc } from "../seeded.ts";

/** The page by an independent GFM parser: names of elements that a model must not make, and the text outside code. */
function page(markdown: string): { unwanted: readonly string[]; text: string } {
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
  ["an image in a link", "[![a](https://evil/x)](https://evil/y)"],
  ["an image around a comment", "!<!-- x -->[a](https://evil/x)"],
  ["an image in HTML", '<img src="https://evil/x">'],
  ["a picture", '<picture><source srcset="https://evil/x"><img></picture>'],
  ["open details", "<details><summary>all</summary>\n\nand more"],
  ["a comment", "<!-- hidden"],
  ["a comment over blank lines", "<!-- a\n\nb --> c"],
  ["a heading", "## Not verified"],
  ["a heading in a list", "- ## Not verified\n1. # a"],
  ["an underlined heading", "Not verified\n---\n\nMore\n==="],
  ["a heading in HTML", "<h2>Not verified</h2>"],
  ["a closing keyword", "fixes #12, closes o/r#3, Resolved: GH-4, fix https://github.com/o/r/issues/5"],
  ["a closing keyword before an escape", "closes \\#12, fixes o\\/r#3 and fixes&nbsp;#4 and fixes&#32;o/r\\#5"],
  ["a closing keyword around a comment", "fixes <!-- --> #12"],
  [
    "a closing keyword before a link and a reference",
    "fixes:[a](https://github.com/o/r/issues/5)o/r#5, fixes: **x**#5",
  ],
  ["an unknown tag", "<x-y>a</x-y>"],
];

describe("a model's text in a post", () => {
  it.each(ROWS)("shows %s as text", (_name, words) => {
    for (const text of [prose(words), `## Ours\n\n${prose(`a\n${words}`)}`, plain(words), `- ${plain(words)}\n`]) {
      const { unwanted, text: shown } = page(text.replace(/^## Ours/, ""));
      expect(unwanted).toEqual([]);
      expect(shown).not.toMatch(CLOSES);
    }
  });

  it("keeps code unchanged, and a template's headings when asked to", () => {
    expect(prose("```html\n<img src=x>\n# a\n```\nuse `<b>` so")).toBe("```html\n<img src=x>\n# a\n```\nuse `<b>` so");
    expect(prose("## Checks\n\n- [ ] a <b>", "kept")).toBe("## Checks\n\n- [ ] a &lt;b>");
    expect(prose("- a\n- b #5\n\n1. c\n\n---|---")).toBe("- a\n- b #5\n\n1. c\n\n---|---");
  });

  it("never makes an image, HTML, a heading or a closing keyword", () => {
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

describe("a commit message", () => {
  const message = (title: string, solution: string) =>
    commitMessage({ type: "fix", title, problem: "", solution, template: "" }, 7, "Fixes").message;

  it.each([
    `${"word ".repeat(13)}fixes #12 and closes o/r#3`,
    "[skip  ci] [ci\u00a0skip] [skip\u200b ci] [SKIP ACTIONS] [azurepipelines skip] ***NO_CI***",
    "[skip [skip ci] ci] [no\tci]",
    `${"word ".repeat(13)}Co-authored-by: A <a@b.c>\nSigned-off-by: B <b@c.d>\n\nskip-checks: true`,
  ])("closes, skips and signs nothing: %j", (words) => {
    const text = message(words, words).replace(/\n\nFixes #7\n$/, "");
    expect(text).not.toMatch(CLOSES);
    expect(text).not.toMatch(SKIPS);
    expect(text).not.toMatch(/^(?:co-authored-by|signed-off-by|skip-checks):/im);
  });
});

/** Orders that other programs obey in a text, or in the commit that a merge makes from a pull request's body. */
const OBEYED: readonly RegExp[] = [
  CLOSES,
  SKIPS,
  /\*\*\*NO_CI\*\*\*/i,
  /^[ \t]*(?:co-authored-by|signed-off-by|release-as|skip-checks|BREAKING CHANGE)[ \t]*:/im,
  /BEGIN_COMMIT_OVERRIDE/,
  /^\s*\/(?:merge|rebase)(?:\s|$)/im,
];

describe("orders to other programs", () => {
  const pieces = fc.constantFrom(
    ..."[ [[ ] ]] skip ci no - f&#105;xes fixes f**i**x cl&#x6f;se : #5 &#35;5 o/r#5 GH-5 https://github.com/o/r/issues/5".split(
      " ",
    ),
    ..."[skip ci] [ci skip] [skip-ci] ***NO_CI*** [a](https://github.com/o/r/issues/5) ` ``` <!-- --> @dependabot /merge".split(
      " ",
    ),
    "[skip ci]",
    "&#91;",
    "&#93;",
    "#7",
    "skip-checks: true",
    "Release-As: 2.0.0",
    "Co-authored-by: A <a@b.c>",
    "BREAKING CHANGE: a",
    "BEGIN_COMMIT_OVERRIDE",
    "\n",
    "\n\n",
    " ",
    "/rebase",
    "&#108;",
    "\u200b",
  );
  const texts = fc
    .tuple(fc.array(pieces, { maxLength: 20 }), fc.boolean())
    .map(([parts, spaced]) => parts.join(spaced ? " " : ""));

  it("never get into a posted text, and defusing twice changes nothing", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const safe = prose(text);
        const { text: shown } = page(safe);
        for (const order of OBEYED) expect([order, safe.match(order)?.[0]]).toEqual([order, undefined]);
        for (const order of [CLOSES, SKIPS, /(?<![a-z0-9])@dependabot/i]) expect(shown).not.toMatch(order);
        expect(prose(safe)).toBe(safe);
        expect(postedMarkdown(safe)).toBe(safe);
      }),
      { numRuns: 3_000 },
    );
  });

  it("never get into a commit message", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const safe = commitMessage(
          { type: "fix", title: text, problem: "", solution: text, template: "" },
          7,
          "Fixes",
        ).message;
        const own = safe.replace(/\n\nFixes #7\n$/, "");
        for (const order of OBEYED.filter(({ source }) => !source.includes("merge"))) {
          expect([order, own.match(order)?.[0]]).toEqual([order, undefined]);
        }
      }),
      { numRuns: 1_500 },
    );
  });
});

describe("an untrusted link", () => {
  it.each(["javascript:alert(1)", "data:text/html,x", "https://user:secret@x/", "x", "//x/y", "\u0000https:x y"])(
    "becomes plain text for %j",
    (address) => expect(webLink("a", address)).toBe("a"),
  );

  it("keeps its text and its address inside the link", () => {
    const parts = fc.constantFrom(
      "]",
      "[",
      ")",
      "(",
      "<",
      ">",
      "|",
      "`",
      "\\",
      '"',
      "\n",
      " ",
      "!",
      "a",
      "%",
      "#",
      "?",
      "@x",
    );
    fc.assert(
      fc.property(fc.array(parts), fc.array(parts), (words, address) => {
        const link = webLink(words.join(""), `https://x.y/${address.join("")}`);
        expect(link).toMatch(/^\[[^\n]*\]\(https:\/\/x\.y\/[^\s()<>[\]|\\`"]*\)$/);
        expect(micromark(link).match(/<a href="https:\/\/x\.y\/[^"]*">/g)).toHaveLength(1);
      }),
    );
  });
});
