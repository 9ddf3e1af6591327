import { plain } from "./plain.ts";

const MAX = 160;

/** The beginning of what a person said, as one line of a quote, safe to post. */
export function shortQuote(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return `> ${plain(line.length > MAX ? `${line.slice(0, MAX).replace(/[\ud800-\udbff]$/, "")}…` : line)}`;
}
