import type { Node, TreeCursor } from "web-tree-sitter";
import { listed } from "../../text/patterns.ts";
import type { EditedLines } from "../source-parser.ts";

/** Kept lines to compare around an edit: its effect on neighbours shows next to it. */
const AROUND = 30;

/** Do not compare more nodes near edits: generated text, or edits all over a large file. */
const MAX_NODES = 60_000;

/** A node of a tree, as plain data that outlives it. Rows and columns count from 0; ends are exclusive. */
export interface TreePart {
  type: string;
  isNamed: boolean;
  parent: TreePart | undefined;
  children: TreePart[];
  row: number;
  column: number;
  endRow: number;
  endColumn: number;
  text: string;
}

/** The part of a tree to compare: its nodes near edits. */
export interface TreeView {
  parts: readonly TreePart[];
  leaves: readonly TreePart[];
  lines: readonly string[];
  hasErrors: boolean;
}

/** 0-based rows, the last one excluded. */
export interface Rows {
  from: number;
  to: number;
}

/** The rows near each edit, in the text before (`old`) or after it. */
export function rowsNear(edits: readonly EditedLines[], which: "old" | "new"): readonly Rows[] {
  let shift = 0;
  return edits.map(({ start, removed, added }) => {
    const first = start - 1 + (which === "new" ? shift : 0);
    shift += added - removed;
    return { from: first - AROUND, to: first + (which === "new" ? added : removed) + AROUND };
  });
}

/** Reads the part of a tree to compare; undefined when that is too much. */
export function viewTree(root: Node, text: string, near: readonly Rows[]): TreeView | undefined {
  const lines = text.split("\n");
  const parts: TreePart[] = [];
  const leaves: TreePart[] = [];
  let hasErrors = false;
  const cursor = root.walk();
  let parent: TreePart | undefined;
  const ancestors: TreePart[] = [];
  try {
    for (;;) {
      if (isNear(cursor, near)) {
        const part = partAt(cursor, parent, text);
        parent?.children.push(part);
        parts.push(part);
        if (parts.length > MAX_NODES) return undefined;
        hasErrors ||= part.type === "ERROR" || cursor.nodeIsMissing;
        const isWhole = cursor.nodeIsNamed && spanKind(part.type) !== undefined;
        if (!isWhole && cursor.gotoFirstChild()) {
          ancestors.push(part);
          parent = part;
          continue;
        }
        if (!isWhole || spanKind(part.type) !== "comment") leaves.push(part);
      }
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return { parts, leaves, lines, hasErrors };
        ancestors.pop();
        parent = ancestors.at(-1);
      }
    }
  } finally {
    cursor.delete();
  }
}

function isNear({ startPosition, endPosition }: TreeCursor, near: readonly Rows[]): boolean {
  return near.some(({ from, to }) => startPosition.row < to && endPosition.row >= from);
}

export const MAX_TOKEN = 40;

function partAt(cursor: TreeCursor, parent: TreePart | undefined, text: string): TreePart {
  const { startPosition, endPosition, startIndex, endIndex } = cursor;
  // One that ends with a newline ends before it.
  const isOver = endPosition.column === 0 && endPosition.row > startPosition.row;
  return {
    type: cursor.nodeType,
    isNamed: cursor.nodeIsNamed,
    parent,
    children: [],
    row: startPosition.row,
    column: startPosition.column,
    endRow: isOver ? endPosition.row - 1 : endPosition.row,
    endColumn: isOver ? Number.MAX_SAFE_INTEGER : endPosition.column,
    text: text.slice(startIndex, Math.min(endIndex, startIndex + MAX_TOKEN)),
  };
}

const COMMENT = /comment$/;

const STRING = listed(
  "^",
  String.raw`
  string template_string regex jsx_text text_block \w*string_literal \w*char(?:acter)?_literal rune_literal
  heredoc(?:_body)? nowdoc encapsed_string interpolated_string_expression string_array symbol_array subshell
  system_lib_string shell_command_expression`,
  "$",
);

/** Whether a named node of this type is a comment, or a text in quotes. */
export function spanKind(type: string): "comment" | "string" | undefined {
  if (COMMENT.test(type)) return "comment";
  return STRING.test(type) ? "string" : undefined;
}
