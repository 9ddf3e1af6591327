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

/** A block and what is known of it; `lines` are of those that hold text. */
export interface Block {
  readonly parent: Block | undefined;
  readonly children: Block[];
  type: BlockType;
  open: boolean;
  lines: string[];
  /** of a heading its level, of a block of HTML its kind, of an ordered list its first number */
  number: number;
  /** of a list or an item: its mark; of a fence: its run; of a footnote: its name */
  mark: string;
  /** columns that belong to an item, or blanks that are taken off the lines of a fence */
  columns: number;
  /** an item's box */
  task?: "open" | "done";
  /** of a row */
  cells?: readonly string[];
  /** the line it began on */
  readonly line: number;
  endsBlank: boolean;
}

/** What is being read. */
export interface BlockReader {
  readonly root: Block;
  readonly references: References;
  /** the block that the last line ended in */
  current: Block;
  line: number;
  /** blocks were nested too deeply: nothing was read from there on */
  cut: boolean;
}

/** How far the open blocks go on in this line. */
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

/** Adds a block to `parent`, or to the nearest block around it that can hold it; the others end there. */
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

/** Ends a block and gives its parent. */
export function closeBlock(reader: BlockReader, block: Block): Block {
  block.open = false;
  const parent = block.parent as Block;
  if (block.type === "paragraph" && !resolveDefinitions(reader, block)) parent.children.pop();
  return parent;
}

/** Takes definitions out of a paragraph; whether anything is left of it. */
export function resolveDefinitions({ references }: BlockReader, block: Block): boolean {
  if (!block.lines[0]?.startsWith("[")) return true;
  const left = takeDefinitions(block.lines.join(""), references);
  block.lines = [left];
  return /[^ \t\r\n]/.test(left);
}
