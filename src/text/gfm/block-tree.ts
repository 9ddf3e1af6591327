import { type References, takeDefinitions } from "./links.ts";

export type BlockType =
  | "document"
  | "quote"
  | "list"
  | "item"
  | "note"
  | "paragraph"
  | "heading"
  | "rule"
  | "fence"
  | "indented"
  | "html"
  | "table"
  | "row";

/** A block as far as it has been read; only blocks of text have `lines`. */
export interface Block {
  readonly parent: Block | undefined;
  readonly children: Block[];
  type: BlockType;
  open: boolean;
  lines: string[];
  /** a heading's level, the kind of a block of HTML, or the first number of an ordered list */
  number: number;
  /** a list's or item's marker, a fence's opening run, or a footnote's name */
  mark: string;
  /** an item's width in columns, or the indentation to take off each line of a fence */
  columns: number;
  /** an item's checkbox */
  task?: "open" | "done";
  /** a row's cells */
  cells?: readonly string[];
  /** the line on which it began */
  readonly line: number;
  endsBlank: boolean;
}

/** The state of the reader. */
export interface BlockReader {
  readonly root: Block;
  readonly references: References;
  /** the block in which the last line ended */
  current: Block;
  line: number;
  /** blocks were nested too deeply: the rest was not read */
  cut: boolean;
}

/** The innermost open block that this line continues, and whether it continues all of them. */
export interface Matched {
  readonly block: Block;
  readonly all: boolean;
}

export function makeBlock(type: BlockType, parent: Block | undefined, line: number): Block {
  return {
    parent,
    children: [],
    type,
    open: true,
    lines: [],
    number: 0,
    mark: "",
    columns: 0,
    line,
    endsBlank: false,
  };
}

const HOLDS_BLOCKS: ReadonlySet<BlockType> = new Set<BlockType>(["document", "quote", "item", "note"]);

/** Adds a block to `parent`, or to the nearest block around it that can hold it, and closes the ones between. */
export function addBlock(reader: BlockReader, parent: Block, type: BlockType): Block {
  let holder = parent;
  while (!canHold(holder, type)) holder = closeBlock(reader, holder);
  const block = makeBlock(type, holder, reader.line);
  holder.children.push(block);
  return block;
}

function canHold(holder: Block, type: BlockType): boolean {
  if (holder.type === "list") return type === "item";
  if (holder.type === "table") return type === "row";
  return HOLDS_BLOCKS.has(holder.type) && (type !== "item" || holder.task !== undefined);
}

/** Closes a block and gives its parent. */
export function closeBlock(reader: BlockReader, block: Block): Block {
  block.open = false;
  const parent = block.parent as Block;
  if (block.type === "paragraph" && !resolveDefinitions(reader, block)) parent.children.pop();
  return parent;
}

/** Takes the link definitions out of a paragraph; false when nothing is left of it. */
export function resolveDefinitions({ references }: BlockReader, block: Block): boolean {
  if (!block.lines[0]?.startsWith("[")) return true;
  const left = takeDefinitions(block.lines.join(""), references);
  block.lines = [left];
  return /[^ \t\r\n]/.test(left);
}
