import { addBlock, type Block, type BlockReader, type Matched, resolveDefinitions } from "./block-tree.ts";
import { type Line, trimWhite } from "./line.ts";
import { htmlKind } from "./raw-html.ts";
import { cellsOf, isDelimiterRow, unescapePipes } from "./tables.ts";

/** How deeply blocks may be nested. */
const MAX_DEPTH = 100;

const CODE_INDENT = 4;

/** What the rules for a block's first line see. */
interface Start {
  readonly reader: BlockReader;
  readonly line: Line;
  readonly container: Block;
  /** this line continues all open blocks */
  readonly all: boolean;
  /** the line could continue a paragraph: no block has begun on it yet */
  readonly lazy: boolean;
}

/**
 * The rules, in GitHub's order: HTML comes before tables. Each consumes its marker from the line and gives the block
 * that it opened, or undefined.
 */
const RULES: readonly ((start: Start) => Block | undefined)[] = [
  openQuote,
  openHeading,
  openFence,
  openHtml,
  underlineHeading,
  openRule,
  openNote,
  openItem,
  openIndented,
  openTable,
];

/** Opens the blocks that begin in a line; gives the innermost, which the rest of the line belongs to. */
export function openBlocks(reader: BlockReader, line: Line, matched: Matched): Block {
  let container = matched.block;
  let lazy = reader.current.type === "paragraph";
  let depth = depthOf(container);
  while (!["fence", "indented", "html"].includes(container.type)) {
    line.find();
    const start: Start = { reader, line, container, all: matched.all, lazy };
    const opened = firstOf(start);
    if (opened === undefined) break;
    container = opened;
    depth += 1;
    if (depth > MAX_DEPTH) {
      reader.cut = true;
      break;
    }
    if (["paragraph", "heading", "fence", "indented"].includes(container.type)) break;
    lazy = false;
  }
  return container;
}

function firstOf(start: Start): Block | undefined {
  for (const rule of RULES) {
    const opened = rule(start);
    if (opened) return opened;
  }
  return undefined;
}

function depthOf(block: Block): number {
  let depth = 0;
  for (let above = block.parent; above; above = above.parent) depth += 1;
  return depth;
}

const isIndented = ({ line }: Start) => line.indent >= CODE_INDENT;

function openQuote(start: Start): Block | undefined {
  const { reader, line, container } = start;
  if (isIndented(start) || line.text[line.start] !== ">") return undefined;
  line.take(line.start + 1 - line.offset);
  line.takeSpace();
  return addBlock(reader, container, "quote");
}

function openHeading(start: Start): Block | undefined {
  const { reader, line, container } = start;
  const found = isIndented(start) ? null : /^(#{1,6})(?:[ \t]+|\n)/.exec(line.rest);
  if (found === null) return undefined;
  line.take(line.start + found[0].length - line.offset);
  return Object.assign(addBlock(reader, container, "heading"), { number: (found[1] as string).length });
}

function openFence(start: Start): Block | undefined {
  const { reader, line, container } = start;
  const found = isIndented(start) ? null : /^(?:(`{3,})[^`\n]*\n|(~{3,}))/.exec(line.rest);
  const mark = found?.[1] ?? found?.[2];
  if (mark === undefined) return undefined;
  const columns = line.start - line.offset;
  line.take(columns + mark.length);
  return Object.assign(addBlock(reader, container, "fence"), { mark: mark.slice(0, 255), columns });
}

function openHtml(start: Start): Block | undefined {
  const { reader, line, container } = start;
  const kind = isIndented(start) ? 0 : htmlKind(line.rest, container.type === "paragraph");
  return kind === 0 ? undefined : Object.assign(addBlock(reader, container, "html"), { number: kind });
}

/** An underline turns the paragraph above into a heading, unless that paragraph holds only link definitions. */
function underlineHeading(start: Start): Block | undefined {
  const { reader, line, container } = start;
  if (isIndented(start) || container.type !== "paragraph") return undefined;
  const mark = /^(?:(=)+|-+)[ \t]*\n$/.exec(line.rest);
  if (mark === null) return undefined;
  if (!resolveDefinitions(reader, container)) return container;
  line.takeAll();
  return Object.assign(container, { type: "heading", number: mark[1] ? 1 : 2 } as const);
}

const RULE = /^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})\n$/;

function openRule(start: Start): Block | undefined {
  const { reader, line, container, all } = start;
  if (isIndented(start) || (container.type === "paragraph" && !all) || !RULE.test(line.rest)) return undefined;
  const rule = addBlock(reader, container, "rule");
  line.takeAll();
  return rule;
}

function openNote(start: Start): Block | undefined {
  const { reader, line, container } = start;
  const found = isIndented(start) ? null : /^\[\^([^\] \r\n\t]+)\]:[ \t]*/.exec(line.rest);
  if (found === null) return undefined;
  line.take(line.start + found[0].length - line.offset);
  return Object.assign(addBlock(reader, container, "note"), { mark: found[1] });
}

interface Marker {
  readonly length: number;
  /** "-", "+", "*", "." or ")" */
  readonly mark: string;
  readonly number: number;
}

const WHITE = /^[ \t\n\r]$/;

/**
 * The marker of a list item. Only the first item of a list may interrupt a paragraph, and only when it is not empty.
 */
function markerOf(line: Line, interrupts: boolean): Marker | undefined {
  const [found, bullet, digits, delimiter] = /^(?:([*+-])|(\d{1,9})([.)]))/.exec(line.rest) ?? [];
  if (found === undefined || !WHITE.test(line.rest[found.length] as string)) return undefined;
  const number = Number(digits ?? 0);
  if (interrupts && ((digits !== undefined && number !== 1) || /^[ \t]*\n$/.test(line.rest.slice(found.length)))) {
    return undefined;
  }
  return { length: found.length, mark: bullet ?? (delimiter as string), number };
}

function openItem({ reader, line, container }: Start): Block | undefined {
  const { indent } = line;
  if (indent >= CODE_INDENT) return undefined;
  const marker = markerOf(line, container.type === "paragraph");
  if (marker === undefined) return undefined;
  line.take(line.start + marker.length - line.offset);
  const padding = takePadding(line);
  const isNext = container.type === "list" && container.mark === marker.mark;
  const list = isNext ? container : Object.assign(addBlock(reader, container, "list"), marker, { length: undefined });
  const item = addBlock(reader, list, "item");
  return Object.assign(item, { mark: marker.mark, columns: indent + marker.length + padding });
}

/** Consumes the white space after an item's marker; gives how many columns of it belong to the item. */
function takePadding(line: Line): number {
  const back = line.mark();
  const { column } = line;
  while (line.column - column <= 5 && line.isSpaceAt(line.offset)) line.takeColumns(1);
  const width = line.column - column;
  if (width >= 1 && width < 5 && line.text[line.offset] !== "\n") return width;
  back();
  if (width > 0) line.takeColumns(1);
  return 1;
}

function openIndented(start: Start): Block | undefined {
  const { reader, line, container, lazy } = start;
  if (!isIndented(start) || lazy || line.isBlank) return undefined;
  line.takeColumns(CODE_INDENT);
  return addBlock(reader, container, "indented");
}

const TASK = /^[ \t\v\f]*(?:[-+*]|\d+[^\n])[ \t\v\f]+\[[ xX]\][ \t\v\f]/;

/** Opens a table below the last line of a paragraph, or a row of a table. Also reads an item's checkbox. */
function openTable(start: Start): Block | undefined {
  const { line, container } = start;
  if (!isIndented(start) && container.type === "paragraph") return openHead(start);
  if (!isIndented(start) && container.type === "table") return line.isBlank ? undefined : openRow(start);
  if (container.type === "item" && TASK.test(line.text)) {
    line.take(3);
    container.task = /\[[xX]\]/.test(line.text) ? "done" : "open";
  }
  return undefined;
}

function openRow({ reader, line, container }: Start): Block {
  const row = addBlock(reader, container, "row");
  row.cells = (cellsOf(line.rest) ?? []).slice(0, container.number);
  line.takeAll();
  return row;
}

/** The last line of a paragraph becomes the table's header; the lines above stay a paragraph. */
function openHead({ reader, line, container }: Start): Block | undefined {
  if (!isDelimiterRow(line.rest)) return undefined;
  const columns = cellsOf(line.rest)?.length;
  const head = lastLine(container);
  const cells = cellsOf(head);
  if (cells === undefined || cells.length !== columns) return undefined;
  const before = container.lines.join("").slice(0, -head.length);
  if (before !== "") insertBefore(container, trimWhite(unescapePipes(before)));
  Object.assign(container, { type: "table", lines: [], number: columns });
  addBlock(reader, container, "row").cells = cells;
  line.takeAll();
  return container;
}

function lastLine({ lines }: Block): string {
  const last = lines.at(-1) ?? "";
  return last.slice(last.lastIndexOf("\n", last.length - 2) + 1);
}

function insertBefore(block: Block, text: string): void {
  const siblings = (block.parent as Block).children;
  siblings.splice(-1, 0, { ...block, children: [], open: false, lines: [text] });
}
