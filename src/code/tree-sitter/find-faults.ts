import type { Node } from "web-tree-sitter";
import type { SyntaxFault } from "../source-parser.ts";
import { lastRow } from "./grammar.ts";
import type { Grammar } from "./languages.ts";

/** A grammar always knows where. */
type GrammarFault = Required<SyntaxFault>;

/** One fault causes others: the first few are enough. */
const MAX_FAULTS = 5;

const MAX_QUOTE_LENGTH = 120;

const PARTNERS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** A tree's errors, and tokens that the parser had to invent, in the order of the text. */
export function findFaults(root: Node, grammar: Grammar, text: string): GrammarFault[] {
  const lines = text.split("\n");
  const faults = grammar === "python" ? findIndentationFaults(root, text) : [];
  const open = root.hasError ? [root] : [];
  while (open.length > 0 && faults.length < MAX_FAULTS) {
    const node = open.pop() as Node;
    if (node.isMissing) faults.push(missing(node));
    else if (node.isError && !isVague(node)) faults.push(unfit(node));
    else open.push(...node.children.filter((child) => child.hasError).reverse());
  }
  return faults
    .sort((a, b) => a.line - b.line)
    .map((fault) => ({ ...fault, message: `${fault.message}: ${quote(lines[fault.line - 1])}` }));
}

function missing(node: Node): GrammarFault {
  // The parser puts the token after blanks and newlines, not where one would write it.
  const line = (node.previousSibling?.endPosition.row ?? node.startPosition.row) + 1;
  const what = node.isNamed ? `a ${node.type.replaceAll("_", " ")}` : `\`${node.type}\``;
  return { line, end: node.startPosition.row + 1, message: `${what} is missing at or after line ${line}` };
}

/** An error over many lines that holds others: the inner ones are more exact. */
function isVague(node: Node): boolean {
  if (node.startPosition.row === lastRow(node) || openBracket(node)) return false;
  return node.children.some(({ hasError }) => hasError);
}

function unfit(node: Node): GrammarFault {
  const [from, end] = [node.startPosition.row + 1, lastRow(node) + 1];
  const bracket = openBracket(node);
  if (bracket) {
    const line = bracket.startPosition.row + 1;
    return { line, end, message: `\`${bracket.type}\` of line ${line} seems not to be closed` };
  }
  const place = from === end ? `line ${from} does` : `lines ${from} to ${end} do`;
  return { line: from, end, message: `${place} not fit the grammar of the language, from line ${from} on` };
}

/** The last unclosed bracket directly in an error. */
function openBracket(node: Node): Node | undefined {
  const open: Node[] = [];
  for (const child of node.children) {
    if (child.type in PARTNERS) open.push(child);
    else if (child.type === PARTNERS[open.at(-1)?.type ?? ""]) open.pop();
  }
  return open.at(-1);
}

/** A line, trimmed and cut, to quote. */
export function quote(line = ""): string {
  const text = line.trim();
  return text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)}…` : text;
}

/**
 * What Python refuses and the grammar accepts: a block without a statement, and a statement not indented like the
 * block's first. Ignores lines that mix tabs and spaces.
 */
function findIndentationFaults(root: Node, text: string): GrammarFault[] {
  const lines = text.split("\n");
  const faults: GrammarFault[] = [];
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

/** Blocks are in statements and their clauses, not in expressions. */
function holdsBlock({ type }: Node): boolean {
  return /_(?:statement|definition|clause)$|^block$/.test(type) && type !== "expression_statement";
}

function emptyBlock({ startPosition: { row } }: Node): GrammarFault {
  return { line: row + 1, end: row + 2, message: `an indented block is expected after line ${row + 1}` };
}

function strayIn(node: Node, statements: readonly Node[], lines: readonly string[]): GrammarFault[] {
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
