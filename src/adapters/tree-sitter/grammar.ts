import { createRequire } from "node:module";
import { Language, type Node, Parser } from "web-tree-sitter";

/** Grammars that are shipped, by the names of their files. */
export type Grammar =
  | "c-sharp"
  | "cpp"
  | "go"
  | "java"
  | "javascript"
  | "php"
  | "python"
  | "ruby"
  | "rust"
  | "tsx"
  | "typescript";

/** C is read as C++, of which it is nearly a part: see `mask-c.ts` for the rest. */
const GRAMMARS: readonly (readonly [RegExp, Grammar])[] = [
  [/\.pyi?$/i, "python"],
  [/\.([cm]?js|jsx)$/i, "javascript"],
  [/\.[cm]?ts$/i, "typescript"],
  [/\.tsx$/i, "tsx"],
  [/\.go$/i, "go"],
  [/\.java$/i, "java"],
  [/(\.(rb|rake|gemspec|ru)|(^|\/)(Gemfile|Rakefile))$/i, "ruby"],
  [/\.rs$/i, "rust"],
  [/\.(c|h|cc|cpp|cxx|hh|hpp|hxx|inl)$/i, "cpp"],
  [/\.cs$/i, "c-sharp"],
  [/\.php$/i, "php"],
];

/** The grammar of a file by its path; undefined for a language that has none here. */
export function grammarOf(path: string): Grammar | undefined {
  return GRAMMARS.find(([pattern]) => pattern.test(path))?.[1];
}

/** The library itself is one a process, so its grammars are too: each takes memory that is never given back. */
const loaded = new Map<Grammar, Promise<Language>>();

let started: Promise<void> | undefined;

/** A grammar, loaded when it is first asked for. Throws what loading throws; the next call then tries again. */
export function loadGrammar(grammar: Grammar): Promise<Language> {
  const known = loaded.get(grammar);
  if (known) return known;
  const loading = load(grammar);
  loaded.set(grammar, loading);
  loading.catch(() => loaded.delete(grammar));
  return loading;
}

async function load(grammar: Grammar): Promise<Language> {
  started ??= Parser.init();
  await started;
  const { resolve } = createRequire(import.meta.url);
  return Language.load(resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`));
}

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

/** Words that mean something in C++ and may be names in C. `operator` and `using` would not parse as names either. */
const WORDS =
  /\b(?:class|new|delete|this|template|typename|namespace|private|public|protected|virtual|friend|try|catch|throw|operator|using|explicit|mutable|export|and|or|not|xor)\b/g;

/**
 * A C text whose names are no words of C++, so that the C++ grammar takes it. Every position stays: only the first
 * letters change. Not for headers, which may be C++.
 */
export function maskC(path: string, text: string): string {
  return /\.c$/.test(path) ? text.replace(WORDS, (word) => word.charAt(0).toUpperCase() + word.slice(1)) : text;
}

interface Extent {
  readonly startPosition: { readonly row: number };
  readonly endPosition: { readonly row: number; readonly column: number };
}

/** The 0-based row in which a node's last character stands: one that ends with a newline ends before it. */
export function lastRow({ startPosition, endPosition }: Extent): number {
  return Math.max(startPosition.row, endPosition.column === 0 ? endPosition.row - 1 : endPosition.row);
}
