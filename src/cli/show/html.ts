import type { Badge } from "./block.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Characters that are not seen, or turn the direction of what is read: what stands there must not be hidden. */
const HIDDEN = new RegExp(
  [
    "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]", // controls but tab and newline
    "[\\u00ad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]", // zero width, bidirectional
    "[\\ud800-\\udfff]", // half characters
  ].join("|"),
  "gu",
);

/** Any text as text of a page, in elements and in quoted attributes; hidden characters are shown by their numbers. */
export function escapeHtml(text: string): string {
  return revealHidden(text.replace(/\r\n/g, "\n")).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Shows hidden characters by their numbers, which hold nothing that HTML would read. */
export function revealHidden(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
  });
}

/** A word or two in a pill. */
export function renderBadge({ text, tone }: Badge): string {
  return `<span class="badge ${tone}">${escapeHtml(text)}</span>`;
}

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
