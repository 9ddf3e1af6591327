import { createRequire } from "node:module";
import { Language, type Node, Parser } from "web-tree-sitter";
import type { Grammar } from "./languages.ts";

/** The library itself is one a thread, so its grammars are too: each takes memory that is never given back. */
const loaded = new Map<Grammar, Promise<Language>>();

let started: Promise<void> | undefined;

/** WebAssembly counts memory in pages of 64 KiB. */
const PAGES_PER_MB = 16;

/** The memory of all grammars: 32 MB to begin with, as the library has it. A grammar that asks for more than 256 falls. */
const MEMORY = { initial: 32 * PAGES_PER_MB, maximum: 256 * PAGES_PER_MB };

interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

/** What we need of it: its types come with those of browsers only. */
declare const WebAssembly: { readonly Memory: new (limits: typeof MEMORY) => WasmMemory };

let memory: WasmMemory | undefined;

/** How much memory the grammars of this thread have taken. It grows only. */
export function grammarMemoryBytes(): number {
  return memory?.buffer.byteLength ?? 0;
}

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
  memory ??= new WebAssembly.Memory(MEMORY);
  // What the library has to say when it falls is thrown too.
  started ??= Parser.init({ wasmMemory: memory, printErr: () => undefined });
  await started;
  const { resolve } = createRequire(import.meta.url);
  return Language.load(resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`));
}

/**
 * Parses `text` and gives what `use` makes of the tree's root, for as long as it takes. The tree is gone when this
 * returns: nothing of it may be kept. Throws what a grammar's own scanner throws.
 */
export function withTree<T>(language: Language, text: string, use: (root: Node) => T): T {
  const parser = new Parser();
  try {
    parser.setLanguage(language);
    const tree = parser.parse(text);
    if (tree === null) throw new Error("the grammar gave up");
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
