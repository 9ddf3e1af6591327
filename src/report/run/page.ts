import { type DefaultTreeAdapterTypes, html, serialize, defaultTreeAdapter as tree } from "parse5";
import { type Element, h, mapTexts, type Node, nodesOf, plainText, type RunDocument } from "./document.ts";
import { PAGE_STYLE } from "./page-style.ts";

/** The page may load and run nothing except its own style. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/**
 * A run as one self-contained page: no network, no script. parse5 writes it, so a text of the run can only ever become
 * text.
 */
export function renderPage(document: RunDocument): string {
  const shown = mapTexts(document, revealHidden);
  const head = [
    h("meta", { charset: "utf-8" }),
    h("meta", { "http-equiv": "Content-Security-Policy", content: POLICY }),
    h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    h("meta", { name: "color-scheme", content: "light dark" }),
    h("meta", { name: "referrer", content: "no-referrer" }),
    h("title", {}, plainText(shown.title)),
    h("link", { rel: "icon", href: "data:," }),
    h("style", {}, PAGE_STYLE),
  ];
  const body = h("body", { class: "run" }, partsOf(shown));
  return `<!doctype html>\n${written([h("html", { lang: "en" }, h("head", {}, head), body)])}\n`;
}

/** The body alone, as HTML for a page that has PAGE_STYLE and puts it into an element of the class `run`. */
export const renderBody = (document: RunDocument): string => written(partsOf(mapTexts(document, revealHidden)));

function partsOf({ title, subtitle, sections }: RunDocument): Element[] {
  const links = sections.map(({ id, title: name }) => h("li", {}, h("a", { href: `#${id}` }, plainText(name))));
  const main = sections.map(({ id, title: name, tone = "plain", body }) =>
    h(
      "section",
      { id, "aria-labelledby": `${id}-title` },
      h("h2", { id: `${id}-title`, class: tone }, nodesOf(name)),
      safe(body),
    ),
  );
  const header = h("header", {}, h("p", { class: "quiet" }, subtitle), h("h1", {}, safe(nodesOf(title))));
  const nav = h("nav", { "aria-label": "Contents" }, h("ol", {}, links));
  return [header, nav, h("main", {}, main)];
}

function written(nodes: readonly Node[]): string {
  const page = tree.createDocumentFragment();
  for (const node of nodes) append(page, node);
  return serialize(page);
}

/** Invisible characters, and those that change the reading direction: nothing may hide behind them. */
const HIDDEN = new RegExp(
  [
    "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]", // controls but tab and newline
    "[\\u00ad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]", // zero width, bidirectional
    "[\\ud800-\\udfff]", // half characters
  ].join("|"),
  "gu",
);

/** Shows hidden characters by their code points. */
export function revealHidden(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(HIDDEN, (character) => {
    const number = character.codePointAt(0) ?? 0;
    return `⟨U+${number.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

const ADDRESS = /^https?:\/\/[^\s"<>]+$/i;

/** The nodes with web links only: any other address could lead into the page, to a file beside it, or run something. */
function safe(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node) => {
    if (typeof node === "string") return [node];
    const children = safe(node.children);
    if (node.tag !== "a") return [{ ...node, children }];
    const { href = "" } = node.attributes;
    return ADDRESS.test(href) ? [h("a", { href, rel: "noopener noreferrer" }, children)] : children;
  });
}

/** Elements whose text may be in any language: its first letter decides the direction. */
const AUTO: ReadonlySet<string> = new Set([
  "p",
  "h1",
  "h2",
  "h3",
  "h4",
  "li",
  "dd",
  "th",
  "td",
  "summary",
  "figcaption",
]);

function append(parent: DefaultTreeAdapterTypes.ParentNode, node: Node): void {
  if (typeof node === "string") {
    tree.insertText(parent, node);
    return;
  }
  const { tag, attributes, children } = node;
  const listed = Object.entries(AUTO.has(tag) ? { ...attributes, dir: "auto" } : attributes);
  const element = tree.createElement(
    tag,
    html.NS.HTML,
    listed.map(([name, value]) => ({ name, value })),
  );
  tree.appendChild(parent, element);
  for (const child of children) append(element, child);
}
