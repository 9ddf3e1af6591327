import { markdownSegments } from "./markdown.ts";

/**
 * Takes out of an issue or a comment (Markdown) what GitHub does not show to a reader: HTML comments, texts of images,
 * attributes, titles, link definitions used as comments, and invisible characters. What a person could not see must
 * not instruct an agent. Code keeps its text; comments in it stay only where it is code for certain. Linear time.
 */
export function stripHiddenText(text: string): string {
  let shown = "";
  for (const segment of markdownSegments(text)) {
    if (segment.kind === "text") shown += stripHiddenMarkup(segment.text);
    else if (segment.kind === "code") shown += stripInvisible(codeOf(segment.text));
    // Two halves of a comment's opening must not meet where a comment stood between them.
    else if (/<!?-?$/.test(shown.slice(-3))) shown += " ";
  }
  return shown;
}

/** Only the first line of a fenced block is an opening. */
function codeOf(text: string): string {
  const end = text.indexOf("\n");
  return end < 0 ? stripFenceInfo(text) : stripFenceInfo(text.slice(0, end)) + text.slice(end);
}

const ATTRIBUTE = /\s([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?/g;

const TAG = /<([a-z][a-z0-9-]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)+)\s*(\/?)>/gi;

/** A tag that opens a block is HTML even when it is never closed, or closed wrongly (CommonMark 4.6, kind 6). */
const BLOCK_NAMES =
  "address|article|aside|blockquote|center|dd|details|dialog|div|dl|dt|figure|footer|form|h[1-6]|header|hr|li|nav|ol|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul";

const OPEN_TAG = new RegExp(`(</?(?:${BLOCK_NAMES}))[\\s/](?:[^<>\\n]|\\n(?![ \\t]*(?:\\n|$)))*`, "gi");

/** Instructions and declarations, to their end or, never closed, to that of the paragraph. */
const DECLARATION = /<(?:\?|!(?!--))(?:[^>\n]|\n(?![ \t]*(?:\n|$)))*>?/g;

const IMAGE = /!\[(?:[^[\]]|\[[^[\]]*\])*\](?=[([])/g;

const TITLED =
  /(\]\(\s*(?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*))\s+(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\))\s*\)/g;

const ENTITY = /&(?:#(\d{1,12})|#x([0-9a-f]{1,10})|(zerowidthspace|zwn?j|lrm|rlm|shy|nobreak|invisible\w{1,10}));/gi;

/**
 * Takes out of Markdown (no code in it) what is in the source but not on the page: attributes of HTML tags but their
 * addresses, texts of images, titles of links, link definitions used as comments, and invisible characters, written
 * out or as entities. Visible text stays.
 */
function stripHiddenMarkup(text: string): string {
  const marked = stripReferences(text)
    .replace(
      TAG,
      (_tag, name: string, attributes: string, slash: string) => `<${name}${addresses(attributes)}${slash}>`,
    )
    .replace(OPEN_TAG, (open, name: string) => (open === `${name}/` ? open : name))
    .replace(DECLARATION, "")
    .replace(IMAGE, "![]")
    .replace(TITLED, "$1)")
    .replace(ENTITY, visibleEntity);
  return stripInvisible(stripFenceInfo(marked));
}

function addresses(attributes: string): string {
  let kept = "";
  for (const [, name = "", value] of attributes.matchAll(ATTRIBUTE)) {
    if (/^(?:src|href)$/i.test(name) && value !== undefined) kept += ` ${name}=${value}`;
  }
  return kept;
}

function visibleEntity(entity: string, decimal: string | undefined, hexadecimal: string | undefined): string {
  if (decimal === undefined && hexadecimal === undefined) return "";
  const point = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number.parseInt(decimal, 10);
  if (point > 0x10ffff) return entity;
  return stripInvisible(String.fromCodePoint(point)) === "" ? "" : entity;
}

const LABEL = /^[\s>*+\-\d.)]*\[(?!\^)(?:[^[\]\\]|\\.){1,999}\]:[ \t]*/;

const DESTINATION = /^(<[^<>]*>|[^\s<]\S*)[ \t]*/;

/** An address in angle brackets that is none. */
const HIDING = /^<(?:>|.*\s)/;

const TITLE_START = /^["'(]/;

/**
 * Link definitions (`[name]: address "title"`) are in the source but not on the page, and `[//]: # (text)` is a usual
 * way to write a comment. Keeps name and address of a definition, drops its title, which may go on over lines; a
 * definition that leads nowhere goes altogether. Footnotes and lines that only begin alike stay.
 */
function stripReferences(text: string): string {
  const lines = text.split("\n");
  const kept: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    const label = LABEL.exec(line)?.[0];
    const destination = label === undefined ? undefined : DESTINATION.exec(line.slice(label.length))?.[0];
    const rest = label === undefined || destination === undefined ? "" : line.slice(label.length + destination.length);
    if (label === undefined || destination === undefined || (rest !== "" && !TITLE_START.test(rest))) {
      kept.push(line);
      continue;
    }
    const address = destination.trim();
    if (address !== "#" && !HIDING.test(address)) kept.push(label + address);
    const title = rest === "" ? (lines[index + 1] ?? "").trim() : rest;
    if (!TITLE_START.test(title)) continue;
    if (rest === "") index += 1;
    index = endOfTitle(lines, index, title);
  }
  return kept.join("\n");
}

/** The line on which a title ends that begins on line `index`: at its closing mark, or before a blank line. */
function endOfTitle(lines: readonly string[], index: number, title: string): number {
  const mark = title[0] === "(" ? ")" : (title[0] ?? "");
  if (title.indexOf(mark, 1) > 0) return index;
  for (let at = index + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line.trim() === "") return at - 1;
    if (line.includes(mark)) return at;
  }
  return lines.length - 1;
}

const OPENING = /^([ \t>*+\-\d.)]*(?:`{3,}|~{3,})[ \t]*[\w+#.-]{0,20})[^\n]*/gm;

/** Leaves of what stands behind the opening of a code fence only the language: the page shows nothing of it. */
function stripFenceInfo(text: string): string {
  return text.replace(OPENING, (line, opening: string) =>
    /`{3,}/.test(opening) && line.slice(opening.length).includes("`") ? line : opening,
  );
}

/** Ranges of code points that show nothing, or change the order of what is shown. */
const RANGES = [
  "\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f", // controls but tab and newline
  "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u3164\\uffa0", // soft hyphen, joiners, fillers
  "\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff0-\\ufffb", // zero width, bidirectional
  "\\ufe00-\\ufe0f\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}", // variation selectors, tags
];

const INVISIBLE = new RegExp(`[${RANGES.join("")}]`, "gu");

/**
 * Takes out characters that nobody sees: controls, zero-width and bidirectional ones, soft hyphens, fillers, variation
 * selectors and tag characters. Line separators and \r become newlines, half characters U+FFFD.
 */
export function stripInvisible(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n")
    .replace(INVISIBLE, "")
    .replace(/[\ud800-\udfff]/gu, "\ufffd");
}
