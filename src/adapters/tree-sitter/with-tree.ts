import { type Language, type Node, Parser } from "web-tree-sitter";

/** A grammar that loses itself in a text is stopped; ordinary files take some milliseconds. */
const MAX_MS = 5_000;

/**
 * Parses `text` and gives what `use` makes of the tree's root, or undefined when parsing took too long. The tree is
 * gone when this returns: nothing of it may be kept.
 */
export function withTree<T>(language: Language, text: string, use: (root: Node) => T): T | undefined {
  const parser = new Parser();
  try {
    parser.setLanguage(language);
    const end = performance.now() + MAX_MS;
    const tree = parser.parse(text, null, { progressCallback: () => performance.now() > end });
    if (tree === null) return undefined;
    try {
      return use(tree.rootNode);
    } finally {
      tree.delete();
    }
  } finally {
    parser.delete();
  }
}
