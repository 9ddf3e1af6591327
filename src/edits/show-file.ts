import type { ShownFile } from "../workflow/strategy/paper/developer.ts";
import { numberLines } from "./number-lines.ts";
import { readText } from "./read-text.ts";

/** A file as prompts show it: its lines numbered, or a word on why there are none. */
export function showFile(path: string, content: Uint8Array | undefined): ShownFile {
  if (content === undefined) return { path, content: "(the file does not exist yet)" };
  const text = readText(content);
  if (!text) return { path, content: "(a binary file)" };
  return { path, content: text.lines.length === 0 ? "(the file is empty)" : numberLines(text.lines) };
}
