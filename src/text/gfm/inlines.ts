import { urlAround, wwwEnd } from "./autolinks.ts";
import { trimEnd, trimWhite } from "./line.ts";
import { isPunctuation, labelEnd, labelKey, type References, readAddress, spacesEnd, titleEnd } from "./links.ts";
import { type RawEnds, rawHtmlEnd } from "./raw-html.ts";

/** A reference to a footnote; stays text when the footnote is not defined anywhere. */
export interface NoteReference {
  readonly label: string;
  /** it is in the text of an image, which is not shown */
  readonly hidden: boolean;
}

/** HTML, or a reference to fill in once all footnotes are known. */
export type Piece = string | NoteReference;

interface Bracket {
  /** the index of its own text among the pieces */
  readonly piece: number;
  /** the position after the bracket */
  readonly at: number;
  /** the start of its line */
  readonly line: number;
  readonly image: boolean;
  active: boolean;
  /** it is a link's bracket, or inside one */
  readonly inLink: boolean;
  /** it holds a link */
  hasLink: boolean;
  /** another bracket was opened after it */
  hasBracket: boolean;
}

interface Scan {
  readonly text: string;
  readonly references: References;
  readonly pieces: Piece[];
  readonly brackets: Bracket[];
  at: number;
  /** the start of the text that is not in a piece yet */
  from: number;
  /** the start of the current line */
  line: number;
  /** for each length of a run of backticks, where the last run of that length was seen */
  readonly ticks: Map<number, number>;
  /** all runs of backticks have been seen */
  allTicks: boolean;
  readonly ends: RawEnds;
}

const SPECIAL = /[\n`\\&<[\]!]|www\.|:\/\//g;

/** Reads the inline content of a paragraph, a heading or a cell into HTML. */
export function readInlines(content: string, references: References): Piece[] {
  const text = trimEnd(content, " \t\r\n");
  const scan: Scan = {
    text,
    references,
    pieces: [],
    brackets: [],
    at: 0,
    from: 0,
    line: 0,
    ends: new Map(),
    ticks: new Map(),
    allTicks: false,
  };
  for (;;) {
    SPECIAL.lastIndex = scan.at;
    const found = SPECIAL.exec(text);
    if (found === null) break;
    scan.at = found.index;
    READERS[found[0]]?.(scan);
  }
  scan.at = text.length;
  flush(scan);
  return scan.pieces;
}

const READERS: Readonly<Record<string, (scan: Scan) => void>> = {
  "\n": readNewline,
  "`": readCode,
  "\\": readBackslash,
  "&": readEntity,
  "<": readPointed,
  "[": (scan) => openBracket(scan, false),
  "]": closeBracket,
  "!": readBang,
  "www.": (scan) => readAddressInText(scan, "www."),
  "://": (scan) => readAddressInText(scan, "://"),
};

/** Turns the text up to the current position into a piece. */
function flush(scan: Scan): void {
  if (scan.at > scan.from) scan.pieces.push(escapeHtml(scan.text.slice(scan.from, scan.at)));
  scan.from = scan.at;
}

/** Adds a piece in place of the text up to `end`. */
function put(scan: Scan, html: string, end: number): void {
  flush(scan);
  scan.pieces.push(html);
  scan.at = end;
  scan.from = end;
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (char) => ESCAPES[char] ?? char);

const ENTITY = /&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/iy;

function readEntity(scan: Scan): void {
  ENTITY.lastIndex = scan.at;
  const entity = ENTITY.exec(scan.text)?.[0];
  if (entity === undefined) scan.at += 1;
  else put(scan, entity, scan.at + entity.length);
}

function readNewline(scan: Scan): void {
  const isHard = scan.text.endsWith("  ", scan.at) || scan.text.slice(scan.at - 2, scan.at) === "  ";
  const next = scan.at + 1;
  scan.line = next;
  let to = next;
  while (scan.text[to] === " " || scan.text[to] === "\t") to += 1;
  put(scan, isHard ? "<br />\n" : "\n", to);
}

function readBackslash(scan: Scan): void {
  const next = scan.text[scan.at + 1];
  // In a formula, an unescaped percent sign begins a comment.
  if (next === "%") scan.at += 2;
  else if (isPunctuation(next)) put(scan, escapeHtml(next as string), scan.at + 2);
  else if (next === "\n") put(scan, "<br />\n", scan.at + 2);
  else scan.at += 1;
}

function readCode(scan: Scan): void {
  const { text } = scan;
  const open = runLength(text, scan.at);
  const from = scan.at + open;
  const close = closingTicks(scan, open, from);
  if (close < 0) {
    scan.at = from;
    return;
  }
  const code = text.slice(from, close).replaceAll("\n", " ");
  const isPadded = code.startsWith(" ") && code.endsWith(" ") && /[^ ]/.test(code);
  put(scan, `<code>${escapeHtml(isPadded ? code.slice(1, -1) : code)}</code>`, close + open);
}

const MAX_TICKS = 80;

/**
 * The start of the closing run of `length` backticks, or -1. Once GitHub has seen all runs, it trusts the last position
 * that it saw for a length. That need not be the last run in the text, so it can miss a closing run; so do we.
 */
function closingTicks(scan: Scan, length: number, from: number): number {
  const { text, ticks } = scan;
  if (length > MAX_TICKS || (scan.allTicks && (ticks.get(length) ?? 0) <= from)) return -1;
  for (let at = text.indexOf("`", from); at >= 0; ) {
    const run = runLength(text, at);
    ticks.set(run, at);
    if (run === length) return at;
    at = text.indexOf("`", at + run);
  }
  scan.allTicks = true;
  return -1;
}

function runLength(text: string, at: number): number {
  let to = at;
  while (text[to] === "`") to += 1;
  return to - at;
}

const URI = /<([a-z][a-z0-9.+-]{1,31}:[^\s<>\p{Cc}]*)>/iuy;

const DOMAIN_PART = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";

const MAIL = new RegExp(`<([\\w.!#$%&'*+/=?^\`{|}~-]+@${DOMAIN_PART}(?:\\.${DOMAIN_PART})*)>`, "iy");

function readPointed(scan: Scan): void {
  const { text, at } = scan;
  URI.lastIndex = at;
  MAIL.lastIndex = at;
  const uri = URI.exec(text)?.[1];
  const mail = uri === undefined ? MAIL.exec(text)?.[1] : undefined;
  const link = uri ?? mail;
  if (link !== undefined) {
    const shown = escapeBeside(link);
    put(scan, `<a href="${mail === undefined ? "" : "mailto:"}${shown}">${shown}</a>`, at + link.length + 2);
    return;
  }
  const end = rawHtmlEnd(text, at, scan.ends);
  if (end < 0) scan.at += 1;
  else put(scan, text.slice(at, end), end);
}

/** Escapes everything but entities. */
function escapeBeside(text: string): string {
  return text.replace(ENTITY_OR_SPECIAL, (part) => ESCAPES[part] ?? part);
}

const ENTITY_OR_SPECIAL = new RegExp(`${ENTITY.source}|[&<>"]`, "gi");

const ESCAPED = new RegExp(`\\\\[!-/:-@[-\`{-~]|${ENTITY_OR_SPECIAL.source}`, "gi");

/** An address as an attribute's value. */
const addressHtml = (url: string): string =>
  trimWhite(url).replace(ESCAPED, (part) =>
    part.startsWith("\\") ? escapeHtml(part.slice(1)) : (ESCAPES[part] ?? part),
  );

function readBang(scan: Scan): void {
  if (scan.text[scan.at + 1] === "[" && scan.text[scan.at + 2] !== "^") openBracket(scan, true);
  else scan.at += 1;
}

/**
 * Bare addresses inside brackets are not linked, except in an image's brackets that already hold a link and so are no
 * image.
 */
function readAddressInText(scan: Scan, mark: string): void {
  const { text, at } = scan;
  const bracket = scan.brackets.at(-1);
  const isOpen = bracket !== undefined && (bracket.inLink || !bracket.hasLink);
  const found = mark === "www." ? { from: at, to: wwwEnd(text, at) } : urlAround(text, at);
  if (isOpen || found === undefined || found.to < 0 || found.from < scan.from) {
    scan.at += 1;
    return;
  }
  scan.at = found.from;
  const shown = escapeHtml(text.slice(found.from, found.to));
  put(scan, `<a href="${mark === "www." ? "http://" : ""}${shown}">${shown}</a>`, found.to);
}

function openBracket(scan: Scan, image: boolean): void {
  const last = scan.brackets.at(-1);
  if (last) last.hasBracket = true;
  const mark = image ? "![" : "[";
  put(scan, mark, scan.at + mark.length);
  scan.brackets.push({
    piece: scan.pieces.length - 1,
    at: scan.at,
    line: scan.line,
    image,
    active: true,
    inLink: !image || last?.inLink === true,
    hasLink: false,
    hasBracket: false,
  });
}

function closeBracket(scan: Scan): void {
  const opener = scan.brackets.pop();
  flush(scan);
  const { at } = scan;
  scan.at = at + 1;
  if (!opener?.active) return;
  const target = readTarget(scan.text, at + 1) ?? lookUp(scan, opener, at);
  if (target === undefined) readNote(scan, opener, at);
  else closeLink(scan, opener, target);
}

interface Target {
  readonly url: string;
  readonly end: number;
}

/** Reads `(address "title")`, which turns the brackets before it into a link. */
function readTarget(text: string, at: number): Target | undefined {
  if (text[at] !== "(") return undefined;
  const address = readAddress(text, spacesEnd(text, at + 1));
  if (address === undefined) return undefined;
  const title = spacesEnd(text, address.end);
  const end = spacesEnd(text, title === address.end ? title : titleEnd(text, title));
  return text[end] === ")" ? { url: address.url, end: end + 1 } : undefined;
}

const MAX_LABEL = 1000;

/** Looks up the `[label]` after the brackets, or else the text in the brackets, among the definitions. */
function lookUp({ text, references }: Scan, opener: Bracket, at: number): Target | undefined {
  const end = labelEnd(text, at + 1);
  const label = end < 0 ? "" : trimWhite(text.slice(at + 2, end - 1));
  const isOwn = label === "" && !opener.hasBracket;
  if (end < 0 && !isOwn) return undefined;
  const name = isOwn ? text.slice(opener.at, at) : label;
  const url = name.length > MAX_LABEL ? undefined : references.get(labelKey(name));
  return url === undefined ? undefined : { url, end: end < 0 ? at + 1 : end };
}

function closeLink(scan: Scan, opener: Bracket, { url, end }: Target): void {
  const { pieces, brackets } = scan;
  if (opener.image) {
    const notes = pieces.splice(opener.piece).filter((piece) => typeof piece !== "string");
    pieces.push(`<img src="${addressHtml(url)}" alt="" />`, ...notes.map(({ label }) => ({ label, hidden: true })));
  } else {
    pieces[opener.piece] = `<a href="${addressHtml(url)}">`;
    pieces.push("</a>");
    // A link cannot hold another: brackets opened before this one can no longer become links.
    for (let index = brackets.length - 1; index >= 0; index -= 1) {
      const bracket = brackets[index] as Bracket;
      bracket.hasLink = true;
      if (bracket.image) continue;
      if (!bracket.active) break;
      bracket.active = false;
    }
  }
  scan.at = end;
  scan.from = end;
}

/** Brackets that are not a link refer to a footnote when their text begins with "^", whatever follows. */
function readNote(scan: Scan, opener: Bracket, at: number): void {
  const { text, pieces } = scan;
  const caret = text[opener.at] === "\\" ? opener.at + 1 : opener.at;
  if (text[caret] !== "^" || at <= caret + 1) return;
  const label =
    opener.line === scan.line ? text.slice(caret + 1, at + caret - opener.at) : acrossLines(scan, opener, at);
  pieces.splice(opener.piece);
  pieces.push({ label, hidden: false });
  scan.from = scan.at;
}

/** GitHub measures a name by the distance of its brackets in columns, counted in bytes, even across lines. */
function acrossLines({ text, line }: Scan, opener: Bracket, at: number): string {
  const from = Buffer.byteLength(text.slice(opener.line, opener.at - 1)) + 1;
  const to = Buffer.byteLength(text.slice(line, at + 1));
  const start = text[opener.at] === "\\" ? opener.at + 2 : opener.at + 1;
  const bytes = Math.max(0, to - from - 2);
  return Buffer.from(text.slice(start, start + bytes))
    .subarray(0, bytes)
    .toString();
}
