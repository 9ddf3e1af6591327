import type { Node } from "web-tree-sitter";

const IDENTIFIER =
  /identifier|^(?:constant|name|simple_symbol|hash_key_symbol|(?:instance|class|global)_variable|preproc_arg)$/;
/** What stands before a name without being part of it: `$x`, `@x`, `#x`, `:x`. */
const SIGIL = /^[$@#:]+/;

/**
 * The 1-based lines on which `name` stands as an identifier, ascending, each once. Comments, strings and text between
 * tags do not count; expressions inside a string template do.
 */
export function findReferences(root: Node, text: string, name: string): number[] {
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
