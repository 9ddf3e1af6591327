import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import { stripHiddenText } from "../../src/text/strip-hidden.ts";

/** The words that are text on the page, by an independent GFM parser. */
function wordsOnPage(text: string): string[] {
  const html = micromark(text, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  const found: string[] = [];
  const collect = (nodes: readonly DefaultTreeAdapterTypes.ChildNode[]) => {
    for (const node of nodes) {
      if (node.nodeName === "#text" && "value" in node) found.push(...(node.value.match(/\b[vh]\d+x\b/g) ?? []));
      else if ("childNodes" in node && !["script", "style"].includes(node.nodeName)) collect(node.childNodes);
    }
  };
  collect(parseFragment(html).childNodes);
  return found;
}

type Maker = (word: string) => string;

const HIDE: readonly Maker[] = [
  (w) => `<!-- ${w} -->`,
  (w) => `<!-- ${w}\n${w} -->`,
  (w) => `<b title="${w}">`,
  (w) => `<i ${w}>`,
  (w) => `<a href="#" name='${w}'></a>`,
  (w) => `<${w}>`,
  (w) => `</${w}>`,
  (w) => `<?${w}?>`,
  (w) => `<!A ${w}>`,
  (w) => `<![CDATA[${w}]]>`,
  (w) => `![${w}](https://x/y.png)`,
  (w) => `![a [b ${w}] ![${w}](z)](https://x/y.png "${w}")`,
  (w) => `![a](data:${w})`,
  (w) => `<img alt="${w}" src=x>`,
  (w) => `[](https://x/${w})`,
  (w) => `[t](#${w})`,
  (w) => `[t](javascript:${w} "${w}")`,
  (w) => `<script>${w}</script>`,
];

const HIDE_BLOCK: readonly Maker[] = [
  (w) => `<!--\n\n${w}\n\n-->`,
  (w) => `<?x\n\n${w}\n\n?>`,
  (w) => `<!A\n\n${w}\n\n>`,
  (w) => `<![CDATA[\n\n${w}\n\n]]>`,
  (w) => `[${w}]: https://x/${w} "${w}"`,
  (w) => `[//]: # (${w})`,
  (w) => `[^${w}]: ${w}`,
  (w) => `| a |\n|---|\n| b | ${w} |`,
  (w) => `\`\`\`js ${w}\ncode\n\`\`\``,
  (w) => `~~~${w}\ncode\n~~~`,
  (w) => `<div ${w}="${w}">\n\n</div ${w}>`,
];

const SHOW: readonly Maker[] = [
  (w) => w,
  (w) => `*${w}* **${w}**`,
  (w) => `\`${w}\``,
  (w) => `\`\`a \` <!-- ${w} --> \`\``,
  (w) => `[${w}](https://x/y "t")`,
  (w) => `<kbd title="t">${w}</kbd>`,
  (w) => `&lt;!-- ${w} --&gt;`,
  (w) => `\\<b ${w}>`,
  (w) => `<T>${w}</T>`,
  (w) => `~~${w}~~ \\[${w}]`,
];

const SHOW_BLOCK: readonly Maker[] = [
  (w) => `# ${w}`,
  (w) => `${w}\n===`,
  (w) => `- ${w}\n- [ ] ${w}\n  1. ${w}`,
  (w) => `> ${w}\n${w}`,
  (w) => `\`\`\`html\n<!-- ${w} -->\n\`\`\``,
  (w) => `    <b ${w}>`,
  (w) => `| ${w} |\n|---|\n| \`${w}\` |`,
  (w) => `<details><summary>${w}</summary>\n\n${w}\n\n</details>`,
  (w) => `<table><tr><td>${w}</td></tr></table>`,
  (w) => `t[^n${w}]\n\n[^n${w}]: ${w}`,
];

type Piece = readonly [boolean, boolean, number];

const piece = fc.tuple(fc.boolean(), fc.boolean(), fc.nat(100));

function made(pieces: readonly (readonly Piece[])[], indent: readonly string[]): string {
  let count = 0;
  const make = (shown: boolean, makers: readonly Maker[], at: number) =>
    makers[at % makers.length]?.(`${shown ? "v" : "h"}${count++}x`) ?? "";
  return pieces
    .map((parts, at) => {
      const [[isShown, isBlock, which] = [true, true, 0]] = parts;
      const block = isBlock
        ? make(isShown, isShown ? SHOW_BLOCK : HIDE_BLOCK, which)
        : `t ${parts.map(([shown, , one]) => make(shown, shown ? SHOW : HIDE, one)).join(" ")} t`;
      const lead = indent[at % Math.max(1, indent.length)] ?? "";
      const rest = lead.startsWith(">") ? lead : " ".repeat(lead.length);
      return block
        .split("\n")
        .map((line, row) => (row === 0 ? lead : rest) + line)
        .join("\n");
    })
    .join("\n\n");
}

const texts = fc
  .tuple(
    fc.array(fc.array(piece, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
    fc.array(fc.constantFrom("", "", "> ", "- ", "> - ", "1. "), { maxLength: 4 }),
  )
  .map(([pieces, indent]) => made(pieces, indent));

describe("stripHiddenText against another parser", () => {
  it("shows every word that is text on the page, and no hidden one", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const shown = stripHiddenText(text);
        // A list or a block of HTML may change the meaning of what follows, so the page decides.
        const page = wordsOnPage(text);
        const missing = page.filter((word) => word.startsWith("v") && !shown.includes(word));
        const leaked = (shown.match(/\b[vh]\d+x\b/g) ?? []).filter((word) => !page.includes(word));
        expect({ missing, leaked }).toEqual({ missing: [], leaked: [] });
      }),
      { numRuns: 400 },
    );
  });

  it.each(["[", "![", "[a](b) [", "[[", "> [", "- !["])(
    "shows nothing hidden after %j when a later construct of the same kind is never closed",
    (before) => {
      const kinds = ["<!-- v1x -->", "<? v1x ?>", "<!A v1x >", "<![CDATA[ v1x ]]>"];
      const open = ["<!--", "<?", "<!A", "<![CDATA["];
      for (const hidden of kinds) {
        for (const last of open) {
          const text = `${before}${hidden} ${last} v2x`;
          const page = wordsOnPage(text);
          expect([text, page.includes("v1x")]).toEqual([text, false]);
          const shown = stripHiddenText(text);
          expect([text, shown.includes("v1x"), shown.includes("v2x")]).toEqual([text, false, page.includes("v2x")]);
        }
      }
    },
  );
});
