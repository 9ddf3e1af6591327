/** Files above this many bytes are ranked by parts: a file of a megabyte has every word, so no word singles it out. */
export const MAX_UNDIVIDED = 512 * 1024;

/** Bytes of a part, about those of an ordinary file, and of one in which no line ends. */
const PART = 24 * 1024;

const MOST = 32 * 1024;

const NEWLINE = 10;

/** Cuts a text into parts of whole lines, unless one is longer than a part. Gives the ends. */
export function* cutParts(bytes: Uint8Array): Generator<number> {
  for (let start = 0; start < bytes.length; ) {
    const longest = bytes.subarray(start, start + MOST);
    const newline = longest.indexOf(NEWLINE, PART);
    start += newline < 0 ? longest.length : newline + 1;
    yield start;
  }
}
