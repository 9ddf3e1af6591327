import { openBlocks } from "./block-starts.ts";
import {
  addBlock,
  type Block,
  type BlockReader,
  type BlockType,
  closeBlock,
  type Matched,
  makeBlock,
} from "./block-tree.ts";
import { Line, trimEnd } from "./line.ts";
import { endsHtml, endsWithBlank } from "./raw-html.ts";
import { cellsOf } from "./tables.ts";

/** Reads a text into blocks and link definitions. */
export function readBlocks(source: string): BlockReader {
  const root = makeBlock("document", undefined, 0);
  const reader: BlockReader = { root, references: new Map(), current: root, line: 0, cut: false };
  const lines = source.replace(/^\ufeff/, "").split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const text of lines) {
    readLine(reader, new Line(`${text}\n`));
    if (reader.cut) break;
  }
  while (reader.current !== root) reader.current = closeBlock(reader, reader.current);
  return reader;
}

function readLine(reader: BlockReader, line: Line): void {
  reader.line += 1;
  const matched = matchOpen(reader, line);
  if (matched === undefined) return;
  const container = openBlocks(reader, line, matched);
  if (!reader.cut) addText(reader, line, matched.block, container);
}

/** The innermost open block that this line continues; undefined when the line closed a fence. */
function matchOpen(reader: BlockReader, line: Line): Matched | undefined {
  let block = reader.root;
  for (;;) {
    const child = block.children.at(-1);
    if (!child?.open) return { block, all: true };
    line.find();
    const goesOn = continues(reader, line, child);
    if (goesOn === undefined) return undefined;
    if (!goesOn) return { block, all: false };
    block = child;
  }
}

/** Whether the line continues the block, in which case its markers are consumed; undefined when the line closed it. */
function continues(reader: BlockReader, line: Line, block: Block): boolean | undefined {
  switch (block.type) {
    case "quote":
      return continuesQuote(line);
    case "item":
      return continuesItem(line, block);
    case "note":
      if (line.indent < 4) return line.text === "\n";
      line.takeColumns(4);
      return true;
    case "fence":
      return continuesFence(reader, line, block);
    case "indented":
      if (line.indent >= 4) line.takeColumns(4);
      else if (line.isBlank) line.takeIndent();
      else return false;
      return true;
    case "html":
      return !(endsWithBlank(block.number) && line.isBlank);
    case "paragraph":
      return !line.isBlank;
    case "table":
      return cellsOf(line.rest) !== undefined;
    default:
      return block.type === "list" || block.type === "rule";
  }
}

function continuesQuote(line: Line): boolean {
  if (line.indent > 3 || line.text[line.start] !== ">") return false;
  line.takeColumns(line.indent + 1);
  line.takeSpace();
  return true;
}

function continuesItem(line: Line, item: Block): boolean {
  if (line.indent >= item.columns) line.takeColumns(item.columns);
  else if (line.isBlank && item.children.length > 0) line.takeIndent();
  else return false;
  return true;
}

function continuesFence(reader: BlockReader, line: Line, fence: Block): boolean | undefined {
  const [char = ""] = fence.mark;
  const closing = line.indent <= 3 ? /^(`{3,}|~{3,})[ \t]*\n$/.exec(line.rest)?.[1] : undefined;
  if (closing?.startsWith(char) && closing.length >= fence.mark.length) {
    reader.current = closeBlock(reader, fence);
    return undefined;
  }
  for (let left = fence.columns; left > 0; left -= 1) line.takeSpace();
  return true;
}

const HOLDS_LINES: ReadonlySet<BlockType> = new Set<BlockType>(["paragraph", "heading", "fence", "indented"]);

/** Adds the rest of a line to `container`, or to the open paragraph when it is a lazy continuation line. */
function addText(reader: BlockReader, line: Line, matched: Block, container: Block): void {
  line.find();
  noteBlank(reader, line, container);
  const isLazy = reader.current !== matched && container === matched && !line.isBlank;
  if (isLazy && reader.current.type === "paragraph") {
    reader.current.lines.push(line.left());
    return;
  }
  while (reader.current !== matched) reader.current = closeBlock(reader, reader.current);
  reader.current = takeText(reader, line, container);
}

/** Gives the block in which the line ended. */
function takeText(reader: BlockReader, line: Line, container: Block): Block {
  const { type } = container;
  if (type === "fence" || type === "indented") {
    container.lines.push(line.left());
    return container;
  }
  if (type === "html") {
    container.lines.push(line.left());
    return endsHtml(container.number, line.rest) ? closeBlock(reader, container) : container;
  }
  if (line.isBlank) return container;
  const block = HOLDS_LINES.has(type) ? container : addBlock(reader, container, "paragraph");
  line.takeIndent();
  block.lines.push(type === "heading" ? withoutHashes(line.left()) : line.left());
  return block;
}

/** Drops the "#"s that close a heading. */
function withoutHashes(text: string): string {
  const bare = trimEnd(text, " \t\r\n");
  const before = trimEnd(bare, "#");
  return before === "" || /[ \t]$/.test(before) ? trimEnd(before, " \t") : bare;
}

/** Notes blank lines: they make a list loose. */
function noteBlank(reader: BlockReader, line: Line, container: Block): void {
  const last = container.children.at(-1);
  if (line.isBlank && last) last.endsBlank = true;
  const isNew = container.type === "item" && container.children.length === 0 && container.line === reader.line;
  container.endsBlank = line.isBlank && !isNew && !["quote", "heading", "rule", "fence"].includes(container.type);
  for (let above = container.parent; above; above = above.parent) above.endsBlank = false;
}
