const TAB = 4;

/** Text without the white space around it, of which a form feed is none here. */
export const trimWhite = (text: string): string => text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");

/** A line with its "\n", and how far its containers have taken it; columns count tabs as they are shown. */
export class Line {
  offset = 0;
  column = 0;
  /** the place of the first character that is neither blank nor tab, set by `find` */
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

  /** What stands at and behind `start`. */
  get rest(): string {
    return this.text.slice(this.start);
  }

  /** Finds the next character that is no white space. */
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

  /** Takes characters. */
  take(count: number): void {
    for (let left = count; left > 0 && this.offset < this.text.length; left -= 1) {
      this.column += this.text[this.offset] === "\t" ? TAB - (this.column % TAB) : 1;
      this.offset += 1;
      this.inTab = false;
    }
  }

  /** Takes columns, of a tab perhaps only some. */
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

  /** Takes one blank, or a column of a tab, when there is one. */
  takeSpace(): void {
    if (this.isSpaceAt(this.offset)) this.takeColumns(1);
  }

  /** Goes to `start`. */
  takeIndent(): void {
    this.take(this.start - this.offset);
  }

  /** Takes all but the end of the line. */
  takeAll(): void {
    this.take(this.text.length - 1 - this.offset);
  }

  /** Where the line stands, to go back to it. */
  mark(): () => void {
    const { offset, column, inTab } = this;
    return () => Object.assign(this, { offset, column, inTab });
  }

  /** What is left of the line, with the columns of a tab that nobody has taken. */
  left(): string {
    if (!this.inTab) return this.text.slice(this.offset);
    return " ".repeat(TAB - (this.column % TAB)) + this.text.slice(this.offset + 1);
  }
}
