import { CommentLines } from "./comment-lines.ts";
import { grown, type IdentifierTable } from "./identifier-table.ts";
import { KEYWORDS } from "./terms.ts";

const LETTER = 1;

const WIDE = 2;

const MAX_LENGTH = 80;

const NEWLINE = 10;

const SPACE = 32;

const OPEN = 40;

const CLOSE = 41;

const NOBODY = KEYWORDS.names.length;

/** What a byte of UTF-8 can be part of; scripts written without spaces (3 and 4 bytes a letter) are their own words. */
function byteKinds(): Uint8Array {
  const kinds = new Uint8Array(256);
  for (let byte = 0; byte < 256; byte++) {
    const ascii = byte < 128 && /[\w$]/.test(String.fromCharCode(byte));
    if (ascii || (byte >= 0xc0 && byte < 0xe0)) kinds[byte] = LETTER;
    else if (byte >= 0xe0) kinds[byte] = WIDE;
    else if (byte >= 0x80) kinds[byte] = LETTER | WIDE;
  }
  return kinds;
}

/**
 * Counts the identifiers of one file after the other and collects what each declares, in one pass over the bytes.
 * The hot loop of indexing: it keeps its arrays from file to file and makes nothing.
 */
export class FileScanner {
  /** identifiers of the file last scanned, each once, in the order of appearance: `found[0, foundEnd)` */
  found = new Int32Array(1 << 14);
  foundEnd = 0;
  /** how often each stands in the file, by identifier; who reads a count sets it back to 0 */
  counts = new Int32Array(1 << 14);
  /** identifiers the file declares, each once: `declared[0, declaredEnd)` */
  declared = new Int32Array(1 << 10);
  declaredEnd = 0;
  private declaredIn = new Int32Array(1 << 14);
  private file = 0;
  private readonly kinds = byteKinds();
  private readonly table: IdentifierTable;

  constructor(table: IdentifierTable) {
    this.table = table;
  }

  /** Scans `bytes[0, size)`, a file; gives how many identifiers stand in it. */
  scan(bytes: Uint8Array, size = bytes.length): number {
    const { kinds } = this;
    const { identifiers } = this.table;
    let { counts, found } = this;
    let length = 0;
    let foundEnd = 0;
    let previous = NOBODY;
    let previousStart = -3;
    let previousEnd = -3;
    let receiver = -1;
    const comments = new CommentLines(bytes);
    this.file++;
    this.declaredEnd = 0;
    for (let i = 0; i < size; i++) {
      let kind = kinds[bytes[i] as number] as number;
      if (kind === 0) continue;
      const start = i;
      let hash = -2128831035;
      while (kind !== 0) {
        hash = Math.imul(hash ^ (bytes[i] as number), 16777619);
        kind = ++i < size ? kind & (kinds[bytes[i] as number] as number) : 0;
      }
      if (i - start < 2 || i - start > MAX_LENGTH) {
        i--;
        continue;
      }
      const id = identifiers.intern(bytes, start, i, hash);
      if (id >= counts.length) [counts, found] = this.grow(id);
      const before = counts[id] as number;
      counts[id] = before + 1;
      if (before === 0) found[foundEnd++] = id;
      length++;
      if (start === receiver) this.define(id, comments, start);
      else if (start > 1 && i + 2 < size) {
        const telling = previous < KEYWORDS.bindingEnd || bytes[i] === OPEN || bytes[start - 1] === NEWLINE;
        if (telling && isDefinition(bytes, start, i, previous, previousStart, previousEnd))
          this.define(id, comments, start);
      }
      if (id === KEYWORDS.function && isAssigned(bytes, previousEnd, start))
        this.define(previous, comments, previousStart);
      else if (id === KEYWORDS.func) receiver = afterReceiver(bytes, i);
      previous = id;
      previousStart = start;
      previousEnd = i--;
    }
    this.foundEnd = foundEnd;
    return length;
  }

  private grow(id: number): [counts: typeof this.counts, found: typeof this.found] {
    this.declaredIn = grown(this.declaredIn, id + 1);
    this.counts = grown(this.counts, id + 1);
    this.found = grown(this.found, id + 1);
    return [this.counts, this.found];
  }

  /** A comment defines nothing, nor does a text of several lines. */
  private define(id: number, comments: CommentLines, at: number): void {
    if (this.declaredIn[id] === this.file || comments.holds(at)) return;
    this.declaredIn[id] = this.file;
    this.declared = grown(this.declared, this.declaredEnd + 1);
    this.declared[this.declaredEnd++] = id;
  }
}

/** Where the name stands in Go's `func (receiver) Name(`, or -1. */
function afterReceiver(bytes: Uint8Array, end: number): number {
  if (bytes[end] !== SPACE || bytes[end + 1] !== OPEN) return -1;
  const close = bytes.subarray(end, end + 120).indexOf(CLOSE);
  return close < 0 ? -1 : end + close + 2;
}

/** Whether `name = function` or `name: function` stands there, with the name ending at `end`. */
function isAssigned(bytes: Uint8Array, end: number, start: number): boolean {
  if (start - end > 3 || bytes[start - 1] !== SPACE) return false;
  const sign = bytes[start - 2];
  return sign === 61 || sign === 58;
}

const COMMA = 44;

const DOT = 46;

const MAX_LINE_LENGTH = 240;

const MAX_WORD_LENGTH = 12;

const HERITAGE = new Set(
  "extends implements permits with where for is as struct interface func map chan abstract final".split(" "),
);

const isBlank = (byte: number | undefined) => byte === SPACE || byte === 9;

/**
 * Whether the identifier `bytes[start, end)` is declared here, by the look of the line: `def name`, `class Name`,
 * `Type name(`, `name(…) {`, `NAME = …`. Two bytes must stand on either side. `previous` is the number of the identifier
 * before it, `previousStart` and `previousEnd` where that stands. No parser: it has to be right often, for every
 * language, at the speed of a scan.
 */
function isDefinition(
  bytes: Uint8Array,
  start: number,
  end: number,
  previous: number,
  previousStart: number,
  previousEnd: number,
): boolean {
  const gap = start - previousEnd;
  if (previous < KEYWORDS.bindingEnd && gap <= 2 && bytes[start - 1] === SPACE) {
    if (previous < KEYWORDS.declaringEnd) return !KEYWORDS.nouns.has(previous) || opensBody(bytes, end);
    return atLineStart(bytes, previousStart) || (previousStart > 1 && bytes[previousStart - 2] === 116);
  }
  if (bytes[end] === OPEN) {
    if (isControl(previous, gap)) return false;
    return isTypedCallable(bytes, start, previousEnd) || isMethod(bytes, start, end);
  }
  return atLineStart(bytes, start) && bytes[end] === SPACE && bytes[end + 1] === 61 && bytes[end + 2] === SPACE;
}

/** After `class Name` comes its body or its heritage; in a sentence ("a class that keeps …") comes another word. */
function opensBody(bytes: Uint8Array, end: number): boolean {
  let at = end;
  while (isBlank(bytes[at])) at++;
  const first = bytes[at];
  if (first === undefined || !isLetter(first))
    return first !== COMMA && (first !== DOT || isLetter(bytes[at + 1] ?? 0));
  let word = "";
  for (; isLetter(bytes[at] ?? 0) && word.length < MAX_WORD_LENGTH; at++)
    word += String.fromCharCode(bytes[at] as number);
  return HERITAGE.has(word);
}

function isLetter(byte: number): boolean {
  return (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);
}

function isControl(previous: number, gap: number): boolean {
  return previous >= KEYWORDS.bindingEnd && previous < KEYWORDS.names.length && gap <= 2;
}

function atLineStart(bytes: Uint8Array, at: number): boolean {
  return at === 0 || bytes[at - 1] === NEWLINE;
}

/** `List<String> name(`: two words and a parenthesis, on a line that is not a comment. */
function isTypedCallable(bytes: Uint8Array, start: number, previousEnd: number): boolean {
  if (bytes[start - 1] !== SPACE) return false;
  const before = bytes[start - 2] as number;
  const typeEnds = previousEnd === start - 1 || before === 62 || before === 93 || before === 42 || before === 38;
  if (!typeEnds) return false;
  let lineStart = start;
  while (lineStart > 0 && bytes[lineStart - 1] !== NEWLINE && start - lineStart < MAX_LINE_LENGTH) lineStart--;
  while (isBlank(bytes[lineStart])) lineStart++;
  const first = bytes[lineStart] as number;
  return (first >= 65 && first <= 90) || (first >= 97 && first <= 122) || first === 64 || first === 95;
}

/** `name(…) {` or `name(…): Type {`, the first word of its line. */
function isMethod(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at > 0 && isBlank(bytes[at - 1])) at--;
  if (!atLineStart(bytes, at)) return false;
  let depth = 0;
  let close = -1;
  let last = end;
  for (let i = end; i < bytes.length && i < end + MAX_LINE_LENGTH; i++) {
    const byte = bytes[i] as number;
    if (byte === NEWLINE) break;
    if (byte === OPEN) depth++;
    else if (byte === CLOSE && --depth === 0 && close < 0) close = i;
    if (!isBlank(byte) && byte !== 13) last = i;
  }
  if (close < 0 || bytes[last] !== 123) return false;
  return bytes[close + 1] === 58 || last - close <= 2;
}
