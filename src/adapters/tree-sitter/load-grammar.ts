import { createRequire } from "node:module";
import { Language, Parser } from "web-tree-sitter";
import type { Grammar } from "./grammar-of.ts";

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
