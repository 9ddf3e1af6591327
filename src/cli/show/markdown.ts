import MarkdownIt, { type Token } from "markdown-it";
import type { Block, Span, Words } from "./document.ts";

// HTML is no markup here: it is shown as the text that it is.
const markdown = new MarkdownIt({ html: false, breaks: true, linkify: true });

// Only what begins like an address is one.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

const titles = new MarkdownIt("zero").enable("backticks");

/** Markdown that anybody may have written, as blocks of the document. Its images become links. */
export function markdownBlocks(text: string): Block[] {
  return blocksUntil(undefined, markdown.parse(text, {}).values());
}

/** Markdown of one paragraph. */
export const markdownWords = (text: string): Words => inlineOf(markdown.parseInline(text.trim(), {}));

/** A title, in which GitHub shows code and no other Markdown. */
export const titleWords = (text: string): Words => inlineOf(titles.parseInline(text.trim(), {}));

const inlineOf = ([inline]: readonly Token[]): readonly Span[] => spansOf(inline?.children ?? []);

/** The blocks up to a token of the type `end`, which is taken too; all, without one. */
function blocksUntil(end: string | undefined, tokens: Iterator<Token>): Block[] {
  const blocks: Block[] = [];
  for (const token of upTo(end, tokens)) {
    const block = blockOf(token, tokens);
    if (block) blocks.push(block);
  }
  return blocks;
}

/** Tokens that nobody else takes meanwhile, up to one of the type `end`. */
function* upTo(end: string | undefined, tokens: Iterator<Token>): Generator<Token> {
  for (let next = tokens.next(); !next.done; next = tokens.next()) {
    if (next.value.type === end) return;
    yield next.value;
  }
}

function blockOf(token: Token, tokens: Iterator<Token>): Block | undefined {
  switch (token.type) {
    case "heading_open":
      return { kind: "heading", words: wordsUntil("heading_close", tokens) };
    case "paragraph_open":
      return { kind: "paragraph", words: wordsUntil("paragraph_close", tokens) };
    case "bullet_list_open":
      return { kind: "list", items: itemsUntil("bullet_list_close", tokens) };
    case "ordered_list_open":
      return {
        kind: "list",
        items: itemsUntil("ordered_list_close", tokens),
        first: Number(token.attrGet("start") ?? 1),
      };
    case "blockquote_open":
      return { kind: "quote", body: blocksUntil("blockquote_close", tokens) };
    case "table_open":
      return tableUntilEnd(tokens);
    case "fence":
    case "code_block":
      return { kind: "code", text: token.content };
    case "hr":
      return { kind: "rule" };
    default:
      return undefined;
  }
}

const wordsUntil = (end: string, tokens: Iterator<Token>): Words =>
  [...upTo(end, tokens)].flatMap(({ children }) => spansOf(children ?? []));

const itemsUntil = (end: string, tokens: Iterator<Token>): Block[][] =>
  Array.from(upTo(end, tokens), () => blocksUntil("list_item_close", tokens));

function tableUntilEnd(tokens: Iterator<Token>): Block {
  const rows: Words[][] = [];
  for (const { type, children } of upTo("table_close", tokens)) {
    if (type === "tr_open") rows.push([]);
    if (type === "inline") rows.at(-1)?.push(spansOf(children ?? []));
  }
  const [head = [], ...body] = rows;
  return { kind: "table", head, rows: body };
}

/** The marks that begin and end, and what they make of a span. */
const MARKS: Readonly<Record<string, "strong" | "emphasis" | "struck">> = {
  strong: "strong",
  em: "emphasis",
  s: "struck",
};

function spansOf(tokens: readonly Token[]): Span[] {
  const spans: Span[] = [];
  const depths = { strong: 0, emphasis: 0, struck: 0 };
  const links: string[] = [];
  for (const token of tokens) {
    const mark = MARKS[token.tag];
    if (mark) depths[mark] += token.nesting;
    else if (token.type === "link_open") links.push(String(token.attrGet("href") ?? ""));
    else if (token.type === "link_close") links.pop();
    else spans.push(spanOf(token, depths, links.at(-1)));
  }
  return spans.filter(({ text }) => text !== "");
}

type Looks = Readonly<Record<"strong" | "emphasis" | "struck", number>>;

function spanOf(token: Token, depths: Looks, link: string | undefined): Span {
  const isImage = token.type === "image";
  const href = link ?? (isImage ? String(token.attrGet("src") ?? "") : "");
  return {
    text: isImage ? imageText(token.content) : textOf(token),
    ...(depths.strong > 0 && { strong: true }),
    ...(depths.emphasis > 0 && { emphasis: true }),
    ...(depths.struck > 0 && { struck: true }),
    ...(token.type === "code_inline" && { code: true }),
    ...(href !== "" && { href }),
  };
}

const imageText = (description: string) => (description === "" ? "[image]" : `[image: ${description}]`);

const textOf = ({ type, content }: Token) => (type === "softbreak" || type === "hardbreak" ? "\n" : content);
