import { renderMarkdown } from "./gfm/render.ts";

/** GitHub takes no longer texts (65,536 characters); files may be longer. */
const MAX_LENGTH = 100_000;

/** What costs time is not text but what begins something, a block by its line or a part of one by these characters. */
const MAX_LINES = 4_000;

const MAX_MARKS = 5_000;

const MARKS = new Set(["`", "[", "<", "&", "\\"].map((mark) => mark.charCodeAt(0)));

const NEWLINE = 10;

/** Where a text is to be cut for its time to be bounded: at its end, or where it has too much of something. */
function boundOf(source: string): number {
  const end = Math.min(source.length, MAX_LENGTH);
  let [lines, marks] = [0, 0];
  for (let at = 0; at < end; at++) {
    const code = source.charCodeAt(at);
    if (code === NEWLINE) lines += 1;
    else if (MARKS.has(code)) marks += 1;
    if (lines > MAX_LINES || marks > MAX_MARKS) return at;
  }
  return end;
}

/**
 * Markdown as GitHub's HTML (GFM: tables, footnotes, raw HTML but the tags it disallows), not sanitised. Time is linear
 * in the length; of a text above 100,000 characters, 4,000 lines or 5,000 marks only the beginning is taken, `cut` then.
 * Emphasis stays as it was written, since it hides nothing. A fence is `<pre data-lang>`, a footnote `<div data-note>`.
 */
export function markdownToHtml(text: string): { readonly html: string; readonly cut: boolean } {
  const source = text.replace(/\r\n?/g, "\n");
  const bound = boundOf(source);
  const isLong = bound < source.length;
  const { html, cut } = renderMarkdown(isLong ? cutSource(source, bound) : source);
  return { html: filterRawText(html), cut: cut || isLong };
}

const DEFINITION = /^[ >*+\-\d.)\t]{0,40}\[((?:[^[\]\\\n]|\\.){1,999})\]:/gm;

const MAX_NAMES = 500;

/** Cut between blocks, where nothing inline is open; names that are defined further below still are. */
function cutSource(source: string, bound: number): string {
  const blank = source.lastIndexOf("\n\n", bound);
  const kept = blank > 0 ? source.slice(0, blank) : "";
  const names = [...source.slice(kept.length).matchAll(DEFINITION)].map(([, name = ""]) => name);
  // Without its names a text would show what stands for them.
  if (names.length > MAX_NAMES) return "";
  return [kept, "", ...names.filter((name) => !name.startsWith("^")).map((name) => `[${name}]: #`)].join("\n");
}

/** GFM 6.11: these are shown as text. */
const DISALLOWED = /<(?=\/?(?:title|textarea|xmp|iframe|noembed|noframes|plaintext)(?:[\s/>]|$))/gi;

const RAW = /<(?=(script|style)(?:[\s/>]|$))/gi;

/**
 * Shows tags as text that GFM disallows. Of scripts and styles that are closed what is within is left out, as the
 * sanitiser does; one that is never closed hides nothing. All text is escaped by now, so that any "<" is raw HTML.
 */
export function filterRawText(html: string): string {
  const lower = html.toLowerCase();
  const close = new Map(["script", "style"].map((name) => [name, lower.lastIndexOf(`</${name}`)]));
  return html
    .replace(RAW, (mark, name: string, at: number) => ((close.get(name.toLowerCase()) ?? -1) > at ? mark : "&lt;"))
    .replace(DISALLOWED, "&lt;");
}
