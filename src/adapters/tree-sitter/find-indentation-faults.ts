import type { Node } from "web-tree-sitter";
import type { SyntaxFault } from "../../ports/source-parser.ts";

const MAX_FAULTS = 5;

/**
 * What Python itself refuses and its grammar lets pass: a block without a statement, and a statement that is not
 * indented as the block's first one is. Lines indented with tabs beside spaces are left alone.
 */
export function findIndentationFaults(root: Node, text: string): SyntaxFault[] {
  const lines = text.split("\n");
  const faults: SyntaxFault[] = [];
  const open = [root];
  while (open.length > 0 && faults.length < MAX_FAULTS) {
    const node = open.pop() as Node;
    const statements = node.namedChildren.filter(({ type }) => type !== "comment");
    if (node.type === "block" && statements.length === 0 && !node.isMissing) faults.push(emptyBlock(node));
    if (node.type === "block" || node.type === "module") faults.push(...strayIn(node, statements, lines));
    open.push(...statements.filter(holdsBlock).reverse());
  }
  return faults.slice(0, MAX_FAULTS);
}

/** Blocks stand in statements and their clauses; expressions need not be looked through. */
function holdsBlock({ type }: Node): boolean {
  return /_(?:statement|definition|clause)$|^block$/.test(type) && type !== "expression_statement";
}

function emptyBlock({ startPosition: { row } }: Node): SyntaxFault {
  return { line: row + 1, end: row + 2, message: `an indented block is expected after line ${row + 1}` };
}

function strayIn(node: Node, statements: readonly Node[], lines: readonly string[]): SyntaxFault[] {
  const indents = statements
    .filter(({ type }) => type !== "ERROR")
    .map(({ startPosition: { row, column } }) => ({ row, before: (lines[row] ?? "").slice(0, column) }))
    .filter(({ before }) => before.trim() === "")
    .map(({ row, before }) => ({ row, indent: before.replace(/^.*\f/, "") }));
  const expected = node.type === "module" ? "" : indents[0]?.indent;
  if (expected === undefined) return [];
  return indents
    .filter(({ indent }) => indent !== expected && !`${indent}${expected}`.includes("\t"))
    .map(({ row, indent }) => ({
      line: row + 1,
      end: row + 1,
      message: `line ${row + 1} is indented by ${indent.length} blanks, its block by ${expected.length}`,
    }));
}
