import { inflateRawSync } from "node:zlib";

export interface UnzipLimits {
  /** most entries of the archive */
  readonly entries: number;
  /** most unpacked bytes of one file, and of all */
  readonly file: number;
  readonly total: number;
}

export interface UnzippedFile {
  /** as in the archive: a label, never a path to write to */
  readonly name: string;
  readonly content: Uint8Array;
}

/**
 * Unpacks the files that `wanted` accepts from a zip archive, in memory. Undefined for anything that is not a zip, is
 * encrypted or split, exceeds the limits, declares a wrong size, or has overlapping entries.
 */
export function unzip(
  archive: Uint8Array,
  wanted: (name: string) => boolean,
  limits: UnzipLimits,
): readonly UnzippedFile[] | undefined {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  try {
    const entries = entriesOf(bytes, limits);
    return (
      entries &&
      unpacked(
        bytes,
        entries.filter(({ name }) => isName(name) && wanted(name)),
        limits,
      )
    );
  } catch (error) {
    // Offsets outside the archive, or data that does not decompress.
    if (error instanceof RangeError || (error instanceof Error && "code" in error)) return undefined;
    throw error;
  }
}

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly encrypted: boolean;
  readonly packed: number;
  readonly size: number;
  /** of the entry's local header */
  readonly offset: number;
}

const END = 0x06054b50;
const END_LENGTH = 22;
const MAX_COMMENT = 65_535;
const ENTRY = 0x02014b50;
const ENTRY_LENGTH = 46;
const HEADER = 0x04034b50;
const HEADER_LENGTH = 30;

/** Reads the directory at the archive's end. */
function entriesOf(bytes: Buffer, limits: UnzipLimits): readonly Entry[] | undefined {
  let end = bytes.length - END_LENGTH;
  const first = Math.max(0, end - MAX_COMMENT);
  while (end >= first && bytes.readUInt32LE(end) !== END) end--;
  if (end < first) return undefined;
  const count = bytes.readUInt16LE(end + 10);
  const isWhole = bytes.readUInt16LE(end + 4) === 0 && bytes.readUInt16LE(end + 8) === count;
  if (!isWhole || count > limits.entries) return undefined;
  const entries: Entry[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (bytes.readUInt32LE(at) !== ENTRY) return undefined;
    const length = bytes.readUInt16LE(at + 28);
    entries.push({
      name: bytes.toString("utf8", at + ENTRY_LENGTH, at + ENTRY_LENGTH + length),
      encrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      method: bytes.readUInt16LE(at + 10),
      packed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    });
    at += ENTRY_LENGTH + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

const MAX_NAME = 300;

const isName = (name: string) =>
  name.length <= MAX_NAME && !/^[/\\]|^[A-Za-z]:|\0/.test(name) && !name.split(/[/\\]/).includes("..");

function unpacked(bytes: Buffer, entries: readonly Entry[], limits: UnzipLimits): readonly UnzippedFile[] | undefined {
  const files: UnzippedFile[] = [];
  const names = new Set<string>();
  let left = limits.total;
  let free = 0;
  for (const entry of [...entries].sort((a, b) => a.offset - b.offset)) {
    const { name, size, packed, offset, method, encrypted } = entry;
    if (encrypted || names.has(name) || size > limits.file || size > left || offset < free) return undefined;
    if (bytes.readUInt32LE(offset) !== HEADER) return undefined;
    const begin = offset + HEADER_LENGTH + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    const data = bytes.subarray(begin, begin + packed);
    const content = contentOf(data, method, size);
    if (data.length !== packed || content?.length !== size) return undefined;
    free = begin + packed;
    left -= size;
    names.add(name);
    files.push({ name, content });
  }
  return files;
}

function contentOf(data: Buffer, method: number, size: number): Uint8Array | undefined {
  if (method === 0) return data;
  return method === 8 ? inflateRawSync(data, { maxOutputLength: Math.max(1, size) }) : undefined;
}
