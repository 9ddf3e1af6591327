import type { Block, BlockReader } from "./block-tree.ts";
import { readBlocks } from "./blocks.ts";
import { escapeHtml, type Piece, readInlines } from "./inlines.ts";
import { trimEnd } from "./line.ts";
import { labelKey } from "./links.ts";

/** HTML in pieces, with references to footnotes between them. */
interface Rendered {
  readonly pieces: Piece[];
  /** the content of each footnote, in the order in which they end; the first definition of a name counts */
  readonly notes: Map<string, Piece[]>;
  /** the names of all references, in order; those inside definitions count where they stand */
  readonly references: string[];
}

/**
 * Renders GitHub's Markdown, with "
 * " at line ends, as HTML that is not sanitised. A fence becomes `<pre data-lang>`, a footnote `<div data-note>`.
 * `cut`: blocks were nested too deeply, so the rest was not read.
 */
export function renderMarkdown(source: string): { readonly html: string; readonly cut: boolean } {
  const reader = readBlocks(source.replaceAll("\0", "\ufffd"));
  const rendered: Rendered = { pieces: [], notes: new Map(), references: [] };
  renderChildren(reader, reader.root, rendered);
  return { html: placeNotes(rendered), cut: reader.cut };
}

function renderChildren(reader: BlockReader, parent: Block, into: Rendered): void {
  const isTight = parent.type === "item" && parent.parent !== undefined && isTightList(parent.parent);
  for (const block of parent.children) renderBlock(reader, block, into, isTight);
}

function renderBlock(reader: BlockReader, block: Block, into: Rendered, isTight: boolean): void {
  const { pieces } = into;
  const around = (open: string, close: string) => {
    pieces.push(open);
    renderChildren(reader, block, into);
    pieces.push(close);
  };
  switch (block.type) {
    case "quote":
      around("<blockquote>\n", "</blockquote>\n");
      break;
    case "list":
      if (isOrdered(block)) around(`<ol start="${block.number}">\n`, "</ol>\n");
      else around("<ul>\n", "</ul>\n");
      break;
    case "item":
      around(`<li>${BOXES[block.task ?? "none"]}${beginsTight(block) ? "" : "\n"}`, "</li>\n");
      break;
    case "note":
      renderNote(reader, block, into);
      break;
    case "table":
      renderTable(reader, block, into);
      break;
    case "rule":
      pieces.push("<hr />\n");
      break;
    case "html":
      pieces.push(block.lines.join(""));
      break;
    case "fence":
      pieces.push(renderFence(block));
      break;
    case "indented":
      pieces.push(renderCode("", `${trimEnd(block.lines.join(""), " \t\n")}\n`));
      break;
    default:
      renderText(reader, block, into, isTight);
  }
}

function renderText({ references }: BlockReader, block: Block, into: Rendered, isTight: boolean): void {
  const name = block.type === "heading" ? `h${block.number}` : "p";
  const bare = isTight && name === "p";
  into.pieces.push(bare ? "" : `<${name}>`);
  pushInlines(readInlines(block.lines.join(""), references), into);
  into.pieces.push(bare ? "\n" : `</${name}>\n`);
}

const renderCode = (attributes: string, code: string) => `<pre${attributes}><code>${escapeHtml(code)}</code></pre>\n`;

/** A browser reopens an unclosed link around white space, so white space matters here. */
const beginsTight = ({ children: [first], parent }: Block) =>
  first === undefined || (first.type === "paragraph" && parent !== undefined && isTightList(parent));

const BOXES = {
  none: "",
  open: '<input type="checkbox" disabled="" /> ',
  done: '<input type="checkbox" checked="" disabled="" /> ',
};

const isOrdered = ({ mark }: Block) => mark === "." || mark === ")";

/** A list is tight when no blank line follows any of its items, or anything in them, before the list's end. */
function isTightList({ children: items }: Block): boolean {
  return items.every((item, at) => {
    const isLast = at === items.length - 1;
    if (item.endsBlank && !isLast) return false;
    return item.children.every((child, index) => (isLast && index === item.children.length - 1) || !endsBlank(child));
  });
}

function endsBlank(block: Block): boolean {
  const last = block.children.at(-1);
  return (block.type === "list" || block.type === "item") && last ? endsBlank(last) : block.endsBlank;
}

function renderFence({ lines: [info = "", ...lines] }: Block): string {
  const [language = ""] = info.trim().split(/\s/);
  return renderCode(language === "" ? "" : ` data-lang="${escapeHtml(language)}"`, lines.join(""));
}

function pushInlines(inlines: readonly Piece[], { pieces, references }: Rendered): void {
  for (const piece of inlines) {
    pieces.push(piece);
    if (typeof piece !== "string") references.push(labelKey(piece.label));
  }
}

function renderTable({ references }: BlockReader, { children: rows, number: columns }: Block, into: Rendered): void {
  const { pieces } = into;
  pieces.push("<table>\n");
  for (const [at, { cells = [] }] of rows.entries()) {
    const name = at === 0 ? "th" : "td";
    pieces.push(at === 0 ? "<thead>\n<tr>\n" : `${at === 1 ? "<tbody>\n" : ""}<tr>\n`);
    for (let column = 0; column < columns; column += 1) {
      pieces.push(`<${name}>`);
      pushInlines(readInlines(cells[column] ?? "", references), into);
      pieces.push(`</${name}>\n`);
    }
    pieces.push(at === 0 ? "</tr>\n</thead>\n" : "</tr>\n");
  }
  pieces.push(rows.length > 1 ? "</tbody></table>\n" : "</table>\n");
}

/** Footnotes go to the end of the page. */
function renderNote(reader: BlockReader, block: Block, { notes, references }: Rendered): void {
  const inner: Rendered = { pieces: [], notes, references };
  renderChildren(reader, block, inner);
  const label = labelKey(block.mark);
  if (!notes.has(label)) notes.set(label, inner.pieces);
}

const BACK = '<a href="#text"></a>';

function placeNotes({ pieces, notes, references }: Rendered): string {
  const used = [...new Set(references)].filter((label) => notes.has(label));
  const numbers = new Map(used.map((label, at) => [label, at + 1]));
  const html = (piece: Piece): string => {
    if (typeof piece === "string") return piece;
    if (piece.hidden) return "";
    const number = numbers.get(labelKey(piece.label));
    return number
      ? `<sup class="footnote-ref"><a href="#note">[^${number}]</a></sup>`
      : `[^${escapeHtml(piece.label)}]`;
  };
  const parts = pieces.map(html);
  if (numbers.size > 0) parts.push("<section>\n");
  for (const [label, number] of numbers) {
    parts.push(`<div data-note="${number}">\n`);
    for (const piece of notes.get(label) ?? []) parts.push(html(piece));
    // GitHub puts the link back into the last paragraph, where it ends a link that the text left open.
    if (parts.at(-1) === "</p>\n") parts.splice(-1, 0, BACK);
    else parts.push(BACK);
    parts.push("</div>\n");
  }
  if (numbers.size > 0) parts.push("</section>\n");
  return parts.join("");
}
