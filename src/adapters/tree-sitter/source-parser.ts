import type { Node } from "web-tree-sitter";
import type { SourceParser } from "../../ports/source-parser.ts";
import { findFaults } from "./find-faults.ts";
import { findSymbols } from "./find-symbols.ts";
import { type Grammar, grammarOf, loadGrammar, maskC, withTree } from "./grammar.ts";

/** Longer texts are data or generated; parsing them would hold up the process. In UTF-16 units. */
const MAX_TEXT_LENGTH = 1_000_000;

/**
 * The grammars of tree-sitter: Python, JavaScript, TypeScript, TSX, Go, Java, Ruby, Rust, C, C++, C# and PHP, loaded
 * when a file of theirs is first met. Gives undefined for other languages, for texts over 1 MB and for a text that
 * its grammar fails on or takes longer than five seconds for.
 */
export function createSourceParser(): SourceParser {
  const parse = async <T>(path: string, text: string, use: (root: Node, grammar: Grammar) => T) => {
    const grammar = grammarOf(path);
    if (grammar === undefined || text.length > MAX_TEXT_LENGTH) return undefined;
    const language = await loadGrammar(grammar);
    try {
      return withTree(language, maskC(path, text), (root) => use(root, grammar));
    } catch (error) {
      // A grammar's own scanner may give up on a text: then nothing is known of it.
      if (error instanceof Error && error.name === "RuntimeError") return undefined;
      throw error;
    }
  };
  return {
    faults: (path, text) => parse(path, text, (root, grammar) => findFaults(root, grammar, text)),
    symbols: (path, text) => parse(path, text, (root, grammar) => findSymbols(root, grammar, text)),
    references: (path, text, name) => parse(path, text, (root) => findReferences(root, text, name)),
  };
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
