import { markdownSegments } from "./markdown-segments.ts";
import { neutraliseMentions } from "./neutralise-mentions.ts";

/** A word that makes what follows stand within a line, as it will where it is put. */
const WORD = "x ";

/**
 * A model's or a person's words, safe to post, on one line: for table cells, list items and headings. It is folded
 * first, since a block of code is no longer one on a single line; a lone backtick cannot pair with one beside it.
 */
export function plain(text: string): string {
  const line = neutraliseMentions(WORD + text.replace(/\s+/g, " "));
  return markdownSegments(line)
    .map(({ kind, text: part }) => (kind === "code" ? part : part.replaceAll("`", "&#96;")))
    .join("")
    .slice(WORD.length)
    .replaceAll("|", "\\|")
    .trim();
}
