import { neutraliseMentions } from "../issue/neutralise-mentions.ts";

/** A model's or a person's words, safe to post, on one line: for table cells, list items and headings. */
export function plain(text: string): string {
  return neutraliseMentions(text).replace(/\s+/g, " ").replaceAll("|", "\\|").trim();
}
