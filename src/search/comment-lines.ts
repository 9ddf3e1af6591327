/** What opens a comment or a text of several lines at a line's beginning, and what closes it. */
const BLOCKS: Readonly<Record<string, string>> = {
  "/*": "*/",
  "<!--": "-->",
  "{-": "-}",
  "--[[": "]]",
  '"""': '"""',
  "'''": "'''",
};

/** `#` alone opens directives, attributes and private members, too. */
const COMMENT = /^(?:\/\/|#(?:[\s#]|$)|--\s|;;|%\s)/;

/** A comment behind code; `://` is an address. */
const BEHIND = /(?<!:)\/\/|\s#\s/;

/** Opens a text at a line's end. */
const QUOTES = /^[^"']{0,200}("""|''')\s*$/;

const NEWLINE = 10;

const SPACE = 32;

const TAB = 9;

const HASH = 35;

const SLASH = 47;

/** First bytes of the marks of comments and texts, and blanks at a line's end. */
const MARKS = new Uint8Array(256);
for (const byte of Buffer.from("/#-;%<{\"' \r")) MARKS[byte] = 1;

/** Characters of a line that are looked at. */
const MAX_LINE = 400;

/** Says what stands in a comment, or in a text of several lines, of one file; asked from its top to its end. */
export class CommentLines {
  readonly #buffer: Buffer;
  /** where the last line that was read begins, and the next one */
  #line = 0;
  #next = 0;
  #isComment = false;
  /** where the open block ends */
  #blockEnd = 0;
  /** what closes a block, but stands nowhere below the last line that was read */
  readonly #missing = new Set<string>();

  constructor(bytes: Uint8Array) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Whether the byte at `at` is part of a comment; no call may ask for an earlier line than the one before. */
  holds(at: number): boolean {
    while (this.#next <= at) this.#readLine();
    return this.#isComment || at < this.#blockEnd || this.#isBehind(at);
  }

  #readLine(): void {
    const start = this.#next;
    const { length } = this.#buffer;
    let end = start;
    while (end < length && this.#buffer[end] !== NEWLINE) end++;
    this.#line = start;
    this.#next = end + 1;
    this.#isComment = false;
    if (start < this.#blockEnd || !this.#mayOpen(start, end)) return;
    const text = this.#text(start, end);
    const line = text.trimStart();
    this.#isComment = COMMENT.test(line);
    const opening = Object.keys(BLOCKS).find((mark) => line.startsWith(mark));
    const quotes = QUOTES.exec(line)?.[1];
    if (opening !== undefined)
      this.#skipTo(BLOCKS[opening] as string, start + text.length - line.length + opening.length);
    else if (quotes !== undefined) this.#skipTo(quotes, end);
  }

  /** A block that nothing closes is none. */
  #skipTo(closing: string, from: number): void {
    if (this.#missing.has(closing)) return;
    this.#blockEnd = this.#buffer.indexOf(closing, from);
    if (this.#blockEnd < 0) this.#missing.add(closing);
  }

  #isBehind(at: number): boolean {
    const end = Math.min(at, this.#line + MAX_LINE);
    for (let i = this.#line; i < end; i++)
      if (this.#buffer[i] === HASH || this.#buffer[i] === SLASH) return BEHIND.test(this.#text(this.#line, end));
    return false;
  }

  /** Whether a line's first or last byte may be part of a mark: most lines cost no string. */
  #mayOpen(start: number, end: number): boolean {
    let first = start;
    while (first < end && (this.#buffer[first] === SPACE || this.#buffer[first] === TAB)) first++;
    return MARKS[this.#buffer[first] as number] === 1 || MARKS[this.#buffer[end - 1] as number] === 1;
  }

  #text(start: number, end: number): string {
    return this.#buffer.toString("latin1", start, Math.min(end, start + MAX_LINE));
  }
}
