import { type DefaultTreeAdapterTypes, html, serialize, defaultTreeAdapter as tree } from "parse5";
import {
  type Badge,
  type Block,
  type Fact,
  mapTexts,
  type Part,
  plainText,
  type RunDocument,
  readDiff,
  type Section,
  type Span,
  spansOf,
  type Words,
} from "./document.ts";
import { PAGE_STYLE } from "./page-style.ts";

/** Nothing may be loaded or run, whatever stands in the page; its own style is the exception. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/**
 * A run as one page that needs nothing else: no network, no script. It is built as a tree and written by parse5, so that
 * a text of the run can be nothing but text.
 */
export function renderPage(document: RunDocument): string {
  const { title, subtitle, sections } = mapTexts(document, revealHidden);
  const links = sections.map(({ id, title: name }) => h("li", {}, h("a", { href: `#${id}` }, plainText(name))));
  const page = tree.createDocumentFragment();
  tree.appendChild(
    page,
    h(
      "html",
      { lang: "en" },
      h(
        "head",
        {},
        h("meta", { charset: "utf-8" }),
        h("meta", { "http-equiv": "Content-Security-Policy", content: POLICY }),
        h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
        h("meta", { name: "color-scheme", content: "light dark" }),
        h("meta", { name: "referrer", content: "no-referrer" }),
        h("title", {}, plainText(title)),
        h("link", { rel: "icon", href: "data:," }),
        h("style", {}, PAGE_STYLE),
      ),
      h(
        "body",
        {},
        h("header", {}, h("p", { class: "quiet" }, subtitle), h("h1", AUTO, ...inline(title))),
        h("nav", { "aria-label": "Contents" }, h("ol", {}, ...links)),
        h("main", {}, ...sections.map(renderSection)),
      ),
    ),
  );
  return `<!doctype html>\n${serialize(page)}\n`;
}

/** Characters that cannot be seen, or that turn the direction of what is read: nothing is to be hidden by them. */
const HIDDEN = new RegExp(
  [
    "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]", // controls but tab and newline
    "[\\u00ad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]", // zero width, bidirectional
    "[\\ud800-\\udfff]", // half characters
  ].join("|"),
  "gu",
);

/** Shows hidden characters by their numbers. */
function revealHidden(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

type Element = DefaultTreeAdapterTypes.Element;

/** An element. */
function h(name: string, attributes: Readonly<Record<string, string>>, ...children: (Element | string)[]): Element {
  const listed = Object.entries(attributes).map(([key, value]) => ({ name: key, value }));
  const element = tree.createElement(name, html.NS.HTML, listed);
  for (const child of children) {
    if (typeof child === "string") tree.insertText(element, child);
    else tree.appendChild(element, child);
  }
  return element;
}

/** A text's own direction is told by its first letter. */
const AUTO = { dir: "auto" };

/** What is wider than the page scrolls by itself, with the keyboard too. */
const BOX = { class: "box", tabindex: "0" };

function renderSection({ id, title, tone = "plain", body }: Section): Element {
  const name = `${id}-title`;
  return h(
    "section",
    { id, "aria-labelledby": name },
    h("h2", { id: name, class: tone, ...AUTO }, ...inline(title)),
    ...blocks(body, 3),
  );
}

const MAX_HEADING = 6;

/** `level` is that of the headings in them. */
const blocks = (body: readonly Block[], level: number): Element[] =>
  body.map((block) => renderBlock(block, Math.min(level, MAX_HEADING)));

function renderBlock(block: Block, level: number): Element {
  switch (block.kind) {
    case "paragraph":
      return h("p", { class: block.tone ?? "plain", ...AUTO }, ...inline(block.words));
    case "heading":
      return h(`h${level}`, AUTO, ...inline(block.words));
    case "facts":
      return h("dl", {}, ...block.rows.map(renderFact));
    case "list":
      return renderList(block, level);
    case "quote":
      return renderQuote(block, level);
    case "code":
      return h("pre", BOX, h("code", {}, block.text));
    case "diff":
      return renderDiff(block.text);
    case "rule":
      return h("hr", {});
    case "table":
      return renderTable(block);
    case "part":
      return renderPart(block, level);
  }
}

const inline = (words: Words): (Element | string)[] => spansOf(words).map(renderSpan);

const ADDRESS = /^https?:\/\/[^\s"<>]+$/i;

function renderSpan({ text, strong, emphasis, struck, code, href = "" }: Span): Element | string {
  let shown: Element | string = text;
  if (code) shown = h("code", {}, shown);
  if (struck) shown = h("s", {}, shown);
  if (emphasis) shown = h("em", {}, shown);
  if (strong) shown = h("strong", {}, shown);
  // Any other address would lead into the page, to a file beside it, or run something.
  return ADDRESS.test(href) ? h("a", { href, rel: "noopener noreferrer" }, shown) : shown;
}

const renderFact = ([name, value]: Fact) => h("div", {}, h("dt", {}, name), h("dd", AUTO, ...inline(value)));

function renderList({ items, first }: Extract<Block, { kind: "list" }>, level: number): Element {
  const rows = items.map((item) => h("li", AUTO, ...blocks(item, level)));
  return first === undefined ? h("ul", {}, ...rows) : h("ol", { start: String(first) }, ...rows);
}

function renderQuote({ who, badge, body }: Extract<Block, { kind: "quote" }>, level: number): Element {
  const quote = h("blockquote", {}, ...blocks(body, level));
  if (who === undefined) return quote;
  return h("figure", {}, h("figcaption", AUTO, ...inline(who), ...badgeOf(badge)), quote);
}

/** Lines are blocks, so that each one's colour is as wide as the longest. */
function renderDiff(diff: string): Element {
  const lines = readDiff(diff).map(({ kind, text }) => h("span", { class: kind }, text === "" ? " " : text));
  return h("pre", { ...BOX, class: "box diff" }, h("code", {}, ...lines));
}

function renderTable({ head, rows, sum }: Extract<Block, { kind: "table" }>): Element {
  const row = (cells: readonly Words[]) =>
    h("tr", {}, ...cells.map((cell, at) => h(sum && at === 0 ? "th" : "td", AUTO, ...inline(cell))));
  const titles = head.map((title) => h("th", { scope: "col", ...AUTO }, ...inline(title)));
  const table = h(
    "table",
    sum ? { class: "figures" } : {},
    h("thead", {}, h("tr", {}, ...titles)),
    h("tbody", {}, ...rows.map(row)),
    ...(sum ? [h("tfoot", {}, row(sum))] : []),
  );
  return h("div", BOX, table);
}

function renderPart({ title, badge, note, fold, body }: Part, level: number): Element {
  const heading = [
    h("span", { class: "title", ...AUTO }, ...inline(title)),
    ...badgeOf(badge),
    ...(note ? [" ", h("span", { class: "quiet" }, note)] : []),
  ];
  const inner = blocks(body, level + 1);
  if (fold === undefined) return h("section", {}, h(`h${level}`, {}, ...heading), ...inner);
  return h("details", fold === "open" ? { open: "" } : {}, h("summary", {}, ...heading), ...inner);
}

const badgeOf = (badge: Badge | undefined): (Element | string)[] =>
  badge === undefined ? [] : [" ", h("span", { class: `badge ${badge.tone}` }, badge.text)];
