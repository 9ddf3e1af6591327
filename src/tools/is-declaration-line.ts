import { wordPattern } from "./word-pattern.ts";

const KEYWORD =
  /(?:^|[\s;({])(?:def|defp|defn|defmacro|defmodule|class|object|interface|trait|protocol|extension|struct|enum|record|union|type|typealias|data|newtype|module|namespace|package|fun|func|fn|function|sub|proc|method|let|var|val|const|macro|local|declare|create\s+(?:or\s+replace\s+)?\w+|message|service|rpc)\s+(?:[\w.<>?*&]+[\s.])?$/i;

/**
 * Whether a line of a language without a grammar looks as if it declared `name`: a word that declares stands before
 * it, or the line begins with it and `=`, `:` or `() {` follow.
 */
export function isDeclarationLine(line: string, name: string): boolean {
  const at = line.search(wordPattern(name, ""));
  if (at < 0) return false;
  const before = line.slice(0, at);
  if (KEYWORD.test(before.slice(-80))) return true;
  const after = line.slice(at + name.length, at + name.length + 80);
  return before.trim() === "" && /^\s*(?::?=(?!=)|::?(?=\s)|\(\)\s*\{)/.test(after);
}
