import type { Node } from "web-tree-sitter";
import type { ImportedModule, SourceSpan, SourceSymbol, SyntaxCheck, SyntaxFault } from "../../ports/source-parser.ts";
import { dataFault, scriptFault } from "./data-faults.ts";
import { findFaults, quote } from "./find-faults.ts";
import { findImports } from "./find-imports.ts";
import { findSymbols } from "./find-symbols.ts";
import { loadGrammar, maskC, withTree } from "./grammar.ts";
import { formatOf, type Grammar, grammarOf } from "./languages.ts";

/** A verb of `SourceParser` with what it is asked about. */
export interface SourceRequest {
  readonly verb: "faults" | "symbols" | "references" | "imports" | "spans";
  readonly path: string;
  readonly text: string;
  /** of `references` */
  readonly name?: string;
}

/** What `SourceParser` gives, by verb. */
export type SourceAnswer =
  | SyntaxCheck
  | readonly SourceSymbol[]
  | readonly ImportedModule[]
  | readonly number[]
  | readonly SourceSpan[]
  | undefined;

/** A text with more declarations is data or generated, and taking them over would hold up the thread that asked. */
const MAX_SYMBOLS = 10_000;

const MAX_SPANS = 100_000;

/**
 * Answers a request in this thread, for as long as it takes. Throws what a parser throws: after that nothing in this
 * thread may be trusted, since a grammar that fell leaves the memory of all of them as it was in that moment.
 */
export async function readSource({ verb, path, text, name = "" }: SourceRequest): Promise<SourceAnswer> {
  if (verb === "faults") return checkSource(path, text);
  if (verb === "symbols") {
    const symbols = await withGrammar(path, text, (root, grammar) => findSymbols(root, grammar, text));
    return symbols && symbols.length <= MAX_SYMBOLS ? symbols : undefined;
  }
  if (verb === "imports") return withGrammar(path, text, (root, grammar) => findImports(root, grammar, text));
  if (verb === "spans") {
    const spans = await withGrammar(path, text, (root) => findSpans(root));
    return spans && spans.length <= MAX_SPANS ? spans : undefined;
  }
  return withGrammar(path, text, (root) => findReferences(root, text, name));
}

async function checkSource(path: string, text: string): Promise<SyntaxCheck> {
  const format = formatOf(path);
  if (format !== undefined) {
    const fault = dataFault(format, text);
    return { kind: "checked", faults: fault === undefined ? [] : [fault] };
  }
  const faults = await withGrammar(path, text, (root, grammar) => findFaults(root, grammar, text));
  if (faults === undefined) return { kind: "unknown" };
  const [first] = faults;
  return { kind: "checked", faults: first && /\.[cm]?js$/i.test(path) ? secondOpinion(path, text, faults) : faults };
}

/** The grammar may be older than the language, and acorn often knows the place better. */
function secondOpinion(path: string, text: string, faults: readonly SyntaxFault[]): readonly SyntaxFault[] {
  const script = scriptFault(path, text);
  if (script === undefined) return [];
  // JSX and types are not plain JavaScript: what acorn says about them does not help.
  if (/<\/\w*>|\/>|@flow\b/.test(text)) return faults;
  const line = script.line ?? faults[0]?.line ?? 1;
  return [{ ...faults[0], line, message: `${script.message}: ${quote(text.split("\n")[line - 1])}` }];
}

async function withGrammar<T>(
  path: string,
  text: string,
  use: (root: Node, grammar: Grammar) => T,
): Promise<T | undefined> {
  const grammar = grammarOf(path);
  if (grammar === undefined) return undefined;
  const language = await loadGrammar(grammar);
  return withTree(language, maskC(path, text), (root) => use(root, grammar));
}

const IDENTIFIER =
  /identifier|^(?:constant|name|simple_symbol|hash_key_symbol|(?:instance|class|global)_variable|preproc_arg)$/;

/** What stands before a name without being part of it: `$x`, `@x`, `#x`, `:x`. */
const SIGIL = /^[$@#:]+/;

/**
 * The 1-based lines on which `name` stands as an identifier, ascending, each once. Comments, strings and text between
 * tags do not count; expressions inside a string template do.
 */
function findReferences(root: Node, text: string, name: string): number[] {
  const bare = name.replace(SIGIL, "");
  const lines = new Set<number>();
  if (bare === "") return [];
  for (let at = text.indexOf(bare); at >= 0; at = text.indexOf(bare, at + bare.length)) {
    const node = root.descendantForIndex(at, at + bare.length);
    if (node !== null && isUse(node, text, bare)) {
      const before = text.slice(node.startIndex, at);
      lines.add(node.startPosition.row + 1 + (before.split("\n").length - 1));
    }
  }
  return [...lines];
}

function isUse(node: Node, text: string, bare: string): boolean {
  if (node.childCount > 0 || !node.isNamed || !IDENTIFIER.test(node.type)) return false;
  const own = text.slice(node.startIndex, node.endIndex);
  // The body of a C macro is one token: the names in it are told by their borders.
  if (node.type === "preproc_arg") return own.split(/\W+/).includes(bare);
  return own.replace(SIGIL, "") === bare;
}

const COMMENT = /comment$/;

const STRING =
  /^(?:string|template_string|regex|jsx_text|text_block|\w*string_literal|\w*char(?:acter)?_literal|rune_literal|heredoc(?:_body)?|nowdoc|encapsed_string|interpolated_string_expression|string_array|symbol_array|subshell|system_lib_string|shell_command_expression)$/;

/** Nothing inside of a span is looked at: an expression in a template is part of its string. */
function findSpans(root: Node): SourceSpan[] {
  const spans: SourceSpan[] = [];
  const cursor = root.walk();
  try {
    for (;;) {
      const kind = !cursor.nodeIsNamed ? undefined : spanKind(cursor.nodeType);
      if (kind) spans.push({ kind, start: cursor.startIndex, end: cursor.endIndex });
      if (!kind && cursor.gotoFirstChild()) continue;
      while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return spans;
    }
  } finally {
    cursor.delete();
  }
}

function spanKind(type: string): SourceSpan["kind"] | undefined {
  if (COMMENT.test(type)) return "comment";
  return STRING.test(type) ? "string" : undefined;
}
