/**
 * An interval of lines, 1-based and inclusive. `end = start - 1` is an insertion before line `start`
 * (`start` may be one past the last line: append).
 */
export interface LineInterval {
  readonly start: number;
  readonly end: number;
}

/** New text for an interval, with the file's own line endings; "" deletes the interval. */
export interface LineEdit extends LineInterval {
  readonly text: string;
}
