import { createRequire } from "node:module";
import { Language, type Node, Parser } from "web-tree-sitter";
import { listed } from "../../text/patterns.ts";
import type { Grammar } from "./languages.ts";

/** One library and one set of grammars a thread: their memory is never freed. */
const loaded = new Map<Grammar, Promise<Language>>();

let started: Promise<void> | undefined;

/** WebAssembly counts memory in pages of 64 KiB. */
const PAGES_PER_MB = 16;

/** The memory of all grammars: 32 MB at first, as in the library. A grammar that needs more than 256 fails. */
const MEMORY = { initial: 32 * PAGES_PER_MB, maximum: 256 * PAGES_PER_MB };

interface WasmMemory {
  buffer: ArrayBuffer;
}

/** The part we need: its types come with the DOM's only. */
declare const WebAssembly: { Memory: new (limits: typeof MEMORY) => WasmMemory };

let memory: WasmMemory | undefined;

/** Memory of this thread's grammars; it only grows. */
export function grammarMemoryBytes(): number {
  return memory?.buffer.byteLength ?? 0;
}

/** A grammar, loaded on first use. Throws what loading throws; the next call tries again. */
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
  // The library also throws what it would print when it crashes.
  started ??= Parser.init({ wasmMemory: memory, printErr: () => undefined });
  await started;
  const { resolve } = createRequire(import.meta.url);
  return Language.load(resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`));
}

/**
 * Parses `text` and gives what `use` makes of the tree's root. The tree is freed when this returns: keep nothing of it.
 * Throws what a grammar's scanner throws.
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

/** C++ keywords that may be names in C. */
const WORDS = listed(
  "\\b",
  `class new delete this template typename namespace private public protected virtual friend
  try catch throw operator using explicit mutable export and or not xor`,
  "\\b",
  "g",
);

/**
 * A C text without C++ keywords as names, for the C++ grammar. Positions stay: only first letters change. Headers stay
 * as they are, since they may be C++.
 */
export function maskC(path: string, text: string): string {
  return /\.c$/.test(path) ? text.replace(WORDS, (word) => word.charAt(0).toUpperCase() + word.slice(1)) : text;
}

interface Extent {
  startPosition: { row: number };
  endPosition: { row: number; column: number };
}

/** The 0-based row in which a node's last character stands: one that ends with a newline ends before it. */
export function lastRow({ startPosition, endPosition }: Extent): number {
  return Math.max(startPosition.row, endPosition.column === 0 ? endPosition.row - 1 : endPosition.row);
}
