import type { FilePart, FileTokens } from "./ranking-types.ts";

/** Files above this many bytes are ranked by parts: a file of a megabyte has every word, so no word singles it out. */
export const MAX_UNDIVIDED = 512 * 1024;

/** The least and the most bytes of a part: about the size of an ordinary file. */
const LEAST_PART = 16 * 1024;

const MOST_PART = 32 * 1024;

const NEWLINE = 10;

const RETURN = 13;

const SPACE = 32;

const TAB = 9;

/** The width of a tab where indentation is compared. */
const TAB_WIDTH = 4;

/**
 * Cuts a text into parts of 16 to 32 KiB, each ending where a declaration most likely does: before the line that is
 * indented least, one after an empty line first. Lines stay whole unless one is longer than a part. Gives the ends.
 */
export function* cutParts(bytes: Uint8Array): Generator<number> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.length - start <= MOST_PART ? bytes.length : bestCut(bytes, start);
    yield end;
    start = end;
  }
}

function bestCut(bytes: Uint8Array, start: number): number {
  const last = start + MOST_PART;
  let best = last;
  let least = Number.POSITIVE_INFINITY;
  for (let at = bytes.indexOf(NEWLINE, start + LEAST_PART); at >= 0 && at < last; at = bytes.indexOf(NEWLINE, at + 1)) {
    const indent = indentAt(bytes, at + 1);
    if (indent === undefined) continue;
    const rank = indent * 2 + (endsEmptyLine(bytes, at) ? 0 : 1);
    if (rank >= least) continue;
    best = at + 1;
    least = rank;
  }
  return best;
}

/** Undefined for an empty line, and for one that begins with a closing bracket. */
function indentAt(bytes: Uint8Array, start: number): number | undefined {
  let indent = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === SPACE) indent += 1;
    else if (byte === TAB) indent += TAB_WIDTH;
    else if (byte === NEWLINE || byte === RETURN || CLOSING.has(byte)) return undefined;
    else return indent;
  }
  return undefined;
}

/** `)`, `]` and `}` */
const CLOSING: ReadonlySet<number> = new Set([41, 93, 125]);

function endsEmptyLine(bytes: Uint8Array, newline: number): boolean {
  const before = bytes[newline - 1] === RETURN ? newline - 2 : newline - 1;
  return bytes[before] === NEWLINE;
}

/** What ranking keeps of a divided file as a whole, its length: words are counted by part. */
export function joinParts(parts: readonly FilePart[], { table, counts }: FileTokens): FileTokens {
  return { table, counts, length: parts.reduce((sum, { tokens }) => sum + tokens.length, 0) };
}
