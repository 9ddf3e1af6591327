export type LineEnding = "\n" | "\r\n" | "\r";

/** A text file taken apart so that it can be edited by lines and written back byte-exact. */
export interface TextFile {
  /** each with its own terminator, the last perhaps without; none for an empty file */
  readonly lines: readonly string[];
  /** bytes that are no valid UTF-8 are read one character a byte, whatever the encoding really is */
  readonly encoding: "utf8" | "latin1";
  /** the terminator most lines have; "\n" when there is none */
  readonly eol: LineEnding;
  /** a UTF-8 byte order mark stands before the first line */
  readonly bom: boolean;
}
