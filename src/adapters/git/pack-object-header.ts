import type { ObjectType } from "./object-store.ts";
import { packError } from "./pack-error.ts";

/** What stands before each object's zlib stream in a pack. */
export interface PackObjectHeader {
  /** undefined for a delta */
  readonly type: ObjectType | undefined;
  /** bytes of the inflated stream */
  readonly size: number;
  /** bytes of this header */
  readonly length: number;
  /** how many bytes before this object its base starts (OFS_DELTA) */
  readonly baseDistance?: number;
  /** id of the base (REF_DELTA) */
  readonly baseId?: string;
}

const TYPES: readonly (ObjectType | undefined)[] = [undefined, "commit", "tree", "blob", "tag"];
const OFS_DELTA = 6;
const REF_DELTA = 7;

/**
 * Reads the object header at `start` of `bytes`; undefined when it goes on beyond them.
 * Throws GIT_PACK_CORRUPT. Format: git's gitformat-pack, "pack-*.pack files have the following format".
 */
export function packObjectHeader(bytes: Buffer, start = 0): PackObjectHeader | undefined {
  let at = start;
  let byte = bytes[at++] ?? 0;
  const kind = (byte >> 4) & 7;
  let size = byte & 15;
  for (let factor = 16; byte & 128; factor *= 128) {
    if (at >= bytes.length) return undefined;
    byte = bytes[at++] ?? 0;
    size += (byte & 127) * factor;
  }
  if (!Number.isSafeInteger(size)) throw packError("an object announces an impossible size");
  const type = TYPES[kind];
  if (type) return { type, size, length: at - start };
  if (kind === REF_DELTA) {
    if (at + 20 > bytes.length) return undefined;
    return { type: undefined, size, length: at + 20 - start, baseId: bytes.toString("hex", at, at + 20) };
  }
  if (kind !== OFS_DELTA) throw packError(`an object is of the unknown kind ${kind}`);
  let distance = -1;
  do {
    if (at >= bytes.length) return undefined;
    byte = bytes[at++] ?? 0;
    distance = (distance + 1) * 128 + (byte & 127);
  } while (byte & 128);
  return { type: undefined, size, length: at - start, baseDistance: distance };
}
