import MarkdownIt, { type Token } from "markdown-it";
import { code, h, type Node, table, type Words } from "./document.ts";

// Show HTML as plain text.
const markdown = new MarkdownIt({ html: false, breaks: true, linkify: true });

// Only text that begins like an address becomes a link.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

const titles = new MarkdownIt("zero").enable("backticks");

/** Characters that are parsed: the parser's time grows with the square of some texts. */
const MAX_PARSED = 16_000;

/** Untrusted Markdown as nodes of the document. Images become links. The end of a very long text stays as it is. */
export function markdownNodes(text: string): Node[] {
  const rest = text.slice(MAX_PARSED);
  const nodes = nodesIn(markdown.parse(text.slice(0, MAX_PARSED), {}).values(), false);
  return rest === "" ? nodes : [...nodes, code(rest)];
}

/** Markdown of a single paragraph. */
export const markdownWords = (text: string): Words => nodesIn(markdown.parseInline(text.trim(), {}).values(), false);

/** A title: GitHub renders code in titles, but no other Markdown. */
export const titleWords = (text: string): Words => nodesIn(titles.parseInline(text.trim(), {}).values(), false);

/** The nodes up to the end of the current element. */
function nodesIn(tokens: Iterator<Token>, inLink: boolean): Node[] {
  const nodes: Node[] = [];
  for (let next = tokens.next(); !next.done && next.value.nesting !== -1; next = tokens.next()) {
    const token = next.value;
    if (token.nesting === 1) nodes.push(elementOf(token, nodesIn(tokens, inLink || token.tag === "a")));
    else nodes.push(...leavesOf(token, inLink));
  }
  return nodes.filter((node) => node !== "");
}

function elementOf(token: Token, children: readonly Node[]): Node {
  const attribute = (name: string, missing: string) => ({ [name]: String(token.attrGet(name) ?? missing) });
  switch (token.type) {
    case "heading_open":
      return h("h4", {}, children);
    case "paragraph_open":
      return h("p", { class: "plain" }, children);
    case "ordered_list_open":
      return h("ol", attribute("start", "1"), children);
    case "link_open":
      return h("a", attribute("href", ""), children);
    case "table_open":
      return table(...children);
    default:
      return h(token.tag, {}, children);
  }
}

function leavesOf(token: Token, inLink: boolean): Node[] {
  const { type, content } = token;
  switch (type) {
    case "inline":
      return nodesIn((token.children ?? []).values(), inLink);
    case "softbreak":
    case "hardbreak":
      return ["\n"];
    case "code_inline":
      return [h("code", {}, content)];
    case "fence":
    case "code_block":
      return [code(content)];
    case "hr":
      return [h("hr", {})];
    case "image": {
      const text = content === "" ? "[image]" : `[image: ${content}]`;
      return [inLink ? text : h("a", { href: String(token.attrGet("src") ?? "") }, text)];
    }
    default:
      return [content];
  }
}
