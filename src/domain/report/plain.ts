import { neutraliseMentions } from "../issue/neutralise-mentions.ts";

/** A model's or a person's words, safe to post, on one line: for table cells, list items and headings. */
export function plain(text: string): string {
  // Folded first: what was a block of code is no longer one when it stands on one line.
  return neutraliseMentions(text.replace(/\s+/g, " ")).replaceAll("|", "\\|").trim();
}
