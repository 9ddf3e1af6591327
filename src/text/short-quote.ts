import { plain } from "./plain.ts";

const MOST = 160;

/** The beginning of what a person said, as one line of a quote, safe to post. */
export function shortQuote(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return `> ${plain(line.length > MOST ? `${line.slice(0, MOST).replace(/[\ud800-\udbff]$/, "")}…` : line)}`;
}
