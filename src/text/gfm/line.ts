const TAB = 4;

/** Trims white space; a form feed does not count as such here. */
export function trimWhite(text: string): string {
  let begin = 0;
  while (begin < text.length && " \t\r\n".includes(text[begin] as string)) begin += 1;
  return trimEnd(text.slice(begin), " \t\r\n");
}

/** `text` without the characters of `these` at its end; a pattern would take the square of their number. */
export function trimEnd(text: string, these: string): string {
  let end = text.length;
  while (end > 0 && these.includes(text[end - 1] as string)) end -= 1;
  return text.slice(0, end);
}

/**
 * A line with its "
 * ", and how much of it its containers have consumed. Tabs count as the columns that they span.
 */
export class Line {
  offset = 0;
  column = 0;
  /** the next character that is neither a space nor a tab, set by `find` */
  start = 0;
  private startColumn = 0;
  private inTab = false;

  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Columns of white space before `start`. */
  get indent(): number {
    return this.startColumn - this.column;
  }

  get isBlank(): boolean {
    return this.text[this.start] === "\n";
  }

  /** The text from `start` on. */
  get rest(): string {
    return this.text.slice(this.start);
  }

  /** Finds the next character that is not white space. */
  find(): void {
    if (this.start > this.offset) return;
    this.start = this.offset;
    this.startColumn = this.column;
    for (;;) {
      const char = this.text[this.start];
      if (char === " ") this.startColumn += 1;
      else if (char === "\t") this.startColumn += TAB - (this.startColumn % TAB);
      else return;
      this.start += 1;
    }
  }

  isSpaceAt(at: number): boolean {
    return this.text[at] === " " || this.text[at] === "\t";
  }

  /** Consumes characters. */
  take(count: number): void {
    for (let left = count; left > 0 && this.offset < this.text.length; left -= 1) {
      this.column += this.text[this.offset] === "\t" ? TAB - (this.column % TAB) : 1;
      this.offset += 1;
      this.inTab = false;
    }
  }

  /** Consumes columns, if need be only part of a tab. */
  takeColumns(count: number): void {
    for (let left = count; left > 0 && this.offset < this.text.length; ) {
      const width = this.text[this.offset] === "\t" ? TAB - (this.column % TAB) : 1;
      const taken = Math.min(left, width);
      this.inTab = width > left;
      this.column += taken;
      if (!this.inTab) this.offset += 1;
      left -= taken;
    }
  }

  /** Consumes one space, or one column of a tab, if there is one. */
  takeSpace(): void {
    if (this.isSpaceAt(this.offset)) this.takeColumns(1);
  }

  /** Consumes everything before `start`. */
  takeIndent(): void {
    this.take(this.start - this.offset);
  }

  /** Consumes everything before the newline. */
  takeAll(): void {
    this.take(this.text.length - 1 - this.offset);
  }

  /** Remembers the position; the returned function goes back to it. */
  mark(): () => void {
    const { offset, column, inTab } = this;
    return () => Object.assign(this, { offset, column, inTab });
  }

  /** The rest of the line; a partly consumed tab becomes spaces. */
  left(): string {
    if (!this.inTab) return this.text.slice(this.offset);
    return " ".repeat(TAB - (this.column % TAB)) + this.text.slice(this.offset + 1);
  }
}
