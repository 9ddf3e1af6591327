/// <reference path="./markdown-it-footnote.d.ts" />
import MarkdownIt, { type StateCore, type StateInline, type Token } from "markdown-it";
import footnotes from "markdown-it-footnote";

/** Quotes and lists that stand in each other; what is deeper is left out. */
const MAX_NESTING = 60;

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

const markdown = createMarkdown();

/**
 * Markdown as GitHub's HTML (GFM: tables, footnotes, raw HTML but the tags it disallows), not sanitised. Time is linear
 * in the length; of a text above 100,000 characters, 4,000 lines or 5,000 marks only the beginning is taken, `cut` then.
 * Emphasis stays as it was
 * written, since it hides nothing. A fence is `<pre data-lang>`, a footnote `<div data-note>`.
 */
export function markdownToHtml(text: string): { readonly html: string; readonly cut: boolean } {
  const source = text.replace(/\r\n?/g, "\n");
  const bound = boundOf(source);
  const cut = bound < source.length;
  return { html: filterRawText(markdown.render(cut ? cutSource(source, bound) : source)), cut };
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

function createMarkdown() {
  const made = new MarkdownIt({ html: true, maxNesting: MAX_NESTING }).use(footnotes);
  made.disable(["emphasis", "strikethrough", "footnote_inline"]);
  // An address that is refused would be shown as it was written; the sanitiser takes it away instead.
  made.validateLink = () => true;
  made.normalizeLink = (url) => url;
  made.normalizeLinkText = (text) => text;
  made.inline.ruler.at("footnote_ref", readReference);
  made.inline.ruler.before("escape", "percent", keepPercent);
  made.inline.ruler.before("html_inline", "unclosed", noteUnclosed);
  made.core.ruler.at("footnote_tail", placeFootnotes);
  const { rules } = made.renderer;
  const { escapeHtml } = made.utils;
  rules.fence = (tokens, index) => {
    const { info = "", content = "" } = tokens[index] ?? {};
    const [language = ""] = info.trim().split(/\s/);
    return `<pre data-lang="${escapeHtml(language)}">\n${escapeHtml(content)}</pre>\n`;
  };
  rules.code_block = (tokens, index) => `<pre>\n${escapeHtml(tokens[index]?.content ?? "")}</pre>\n`;
  rules.note_ref = (tokens, index) => `[^${tokens[index]?.meta}]`;
  rules.note_open = (tokens, index) => `<div data-note="${tokens[index]?.meta}">\n`;
  rules.note_close = () => "</div>\n";
  return made;
}

const REFERENCE = /\[\^([^\]\s]{1,200})\]/y;

/** `[^name]` of a footnote that is defined somewhere. */
function readReference(state: StateInline, silent: boolean): boolean {
  REFERENCE.lastIndex = state.pos;
  const label = REFERENCE.exec(state.src)?.[1];
  const { refs = {} }: { refs?: Record<string, unknown> } = state.env.footnotes ?? {};
  if (label === undefined || refs[`:${label}`] === undefined) return false;
  state.pos = REFERENCE.lastIndex;
  if (!silent) state.push("footnote_ref", "", 0).meta = { label };
  return true;
}

/** `\%` stays as it is: in a formula a percent sign alone begins a comment. */
function keepPercent(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith("\\%", state.pos)) return false;
  if (!silent) state.pending += "\\%";
  state.pos += 2;
  return true;
}

const ENDS: readonly (readonly [RegExp, string])[] = [
  [/<!--/y, "-->"],
  [/<!\[CDATA\[/y, "]]>"],
  [/<\?/y, "?>"],
  [/<![a-z]/iy, ">"],
];

const lastEnds = new WeakMap<StateInline, Map<string, number>>();

/**
 * The parser remembers that one `<!--`, `<?` or `<![CDATA[` is never closed, and takes it for all kinds, and for those
 * before it when it has looked ahead for the end of a link: an open one made it show comments. This tells it for each.
 */
function noteUnclosed(state: StateInline): boolean {
  const found = ENDS.find(([start]) => {
    start.lastIndex = state.pos;
    return start.test(state.src);
  });
  if (found === undefined) return false;
  const [, end] = found;
  const known = lastEnds.get(state) ?? new Map<string, number>();
  lastEnds.set(state, known);
  const last = known.get(end) ?? state.src.lastIndexOf(end);
  known.set(end, last);
  Object.assign(state, { skipHtmlSpecial: last < state.pos });
  return false;
}

/** Takes the definitions of footnotes out and puts those that the text, or one of them, refers to at its end. */
function placeFootnotes(state: StateCore): void {
  const { rest, definitions } = takeDefinitions(state.tokens);
  const numbers = new Map<string, number>();
  const refer = (tokens: readonly Token[]) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type !== "footnote_ref") continue;
      const { label } = token.meta as { label: string };
      numbers.set(label, numbers.get(label) ?? numbers.size + 1);
      Object.assign(token, { type: "note_ref", meta: numbers.get(label) });
    }
  };
  refer(rest);
  // A map gives what is added to it on the way, too.
  for (const [label, number] of numbers) {
    const content = definitions.get(label) ?? [];
    refer(content);
    const open = Object.assign(new state.Token("note_open", "", 1), { block: true, meta: number });
    rest.push(open, ...content, new state.Token("note_close", "", -1));
  }
  state.tokens = rest;
}

function takeDefinitions(tokens: readonly Token[]) {
  const rest: Token[] = [];
  const definitions = new Map<string, Token[]>();
  const open: Token[][] = [rest];
  for (const token of tokens) {
    if (token.type === "footnote_reference_open") {
      const { label } = token.meta as { label: string };
      const content: Token[] = [];
      if (!definitions.has(label)) definitions.set(label, content);
      open.push(content);
    } else if (token.type === "footnote_reference_close") open.pop();
    else open.at(-1)?.push(token);
  }
  return { rest, definitions };
}

/** GFM 6.11: these are shown as text. */
const DISALLOWED = /<(?=\/?(?:title|textarea|xmp|iframe|noembed|noframes|plaintext)(?:[\s/>]|$))/gi;

const RAW = /<(?=(script|style)(?:[\s/>]|$))/gi;

/**
 * Shows tags as text that GFM disallows. Of scripts and styles that are closed what is within is left out, as the
 * sanitiser does; one that is never closed hides nothing. All text is escaped by now, so that any "<" is raw HTML.
 */
function filterRawText(html: string): string {
  const lower = html.toLowerCase();
  const close = new Map(["script", "style"].map((name) => [name, lower.lastIndexOf(`</${name}`)]));
  return html
    .replace(RAW, (mark, name: string, at: number) => ((close.get(name.toLowerCase()) ?? -1) > at ? mark : "&lt;"))
    .replace(DISALLOWED, "&lt;");
}
