import type { Node } from "web-tree-sitter";
import type { SourceParser } from "../../ports/source-parser.ts";
import { findFaults } from "./find-faults.ts";
import { findReferences } from "./find-references.ts";
import { findSymbols } from "./find-symbols.ts";
import { type Grammar, grammarOf } from "./grammar-of.ts";
import { loadGrammar } from "./load-grammar.ts";
import { maskC } from "./mask-c.ts";
import { withTree } from "./with-tree.ts";

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
