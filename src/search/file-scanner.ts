import { grown, type IdentifierTable } from "./identifier-table.ts";

const LETTER = 1;

const WIDE = 2;

const MAX_LENGTH = 80;

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
 * Counts the identifiers of one file after the other, in one pass over the bytes. The hot loop of indexing: it keeps its
 * arrays from file to file and makes nothing.
 */
export class FileScanner {
  /** identifiers of the file last scanned, each once, in the order of appearance: `found[0, foundEnd)` */
  found = new Int32Array(1 << 14);
  foundEnd = 0;
  /** how often each stands in the file, by identifier; who reads a count sets it back to 0 */
  counts = new Int32Array(1 << 14);
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
    for (let i = 0; i < size; i++) {
      let kind = kinds[bytes[i] as number] as number;
      if (kind === 0) continue;
      const start = i;
      let hash = -2128831035;
      while (kind !== 0) {
        hash = Math.imul(hash ^ (bytes[i] as number), 16777619);
        kind = ++i < size ? kind & (kinds[bytes[i] as number] as number) : 0;
      }
      const end = i--;
      if (end - start < 2 || end - start > MAX_LENGTH) continue;
      const id = identifiers.intern(bytes, start, end, hash);
      if (id >= counts.length) {
        this.counts = counts = grown(counts, id + 1);
        this.found = found = grown(found, id + 1);
      }
      const before = counts[id] as number;
      counts[id] = before + 1;
      if (before === 0) found[foundEnd++] = id;
      length++;
    }
    this.foundEnd = foundEnd;
    return length;
  }
}
