import { escapeHtml } from "./escape-html.ts";

const ADDRESS = /^https?:\/\/[^\s"<>]+$/;

/** Names and values; a value that is an address is a link. */
export function renderFacts(rows: readonly (readonly [string, string])[]): string {
  if (rows.length === 0) return "";
  const items = rows.map(
    ([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd dir="auto">${linked(value)}</dd></div>`,
  );
  return `<dl>${items.join("")}</dl>`;
}

function linked(value: string): string {
  const text = escapeHtml(value);
  return ADDRESS.test(value) ? `<a href="${text}" rel="noopener noreferrer">${text}</a>` : text;
}
