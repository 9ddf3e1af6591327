import { renderMarkdown } from "./gfm/render.ts";

/** GitHub accepts 65,536 characters; files may be longer. */
const MAX_LENGTH = 100_000;

/** Parsing time depends on what may begin something: lines begin blocks, these characters begin parts of them. */
const MAX_LINES = 4_000;

const MAX_MARKS = 5_000;

const MARKS = new Set(["`", "[", "<", "&", "\\"].map((mark) => mark.charCodeAt(0)));

const NEWLINE = 10;

/** Where to cut a text to bound parsing time: at its end, or where it has too much of something. */
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
 * in the length; of a text above 100,000 characters, 4,000 lines or 5,000 marks only the beginning is taken, `cut`
 * then. Emphasis stays as it was written, since it hides nothing. A fence is `<pre data-lang>`, a footnote `<div
 * data-note>`.
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

/** Cuts between blocks, where nothing inline is open. Link names defined further below stay defined. */
function cutSource(source: string, bound: number): string {
  const blank = source.lastIndexOf("\n\n", bound);
  const kept = blank > 0 ? source.slice(0, blank) : "";
  const names = [...source.slice(kept.length).matchAll(DEFINITION)].map(([, name = ""]) => name);
  // Without its definitions, a text would show link labels as text.
  if (names.length > MAX_NAMES) return "";
  return [kept, "", ...names.filter((name) => !name.startsWith("^")).map((name) => `[${name}]: #`)].join("\n");
}

/** Tags that GFM shows as text (6.11). */
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
