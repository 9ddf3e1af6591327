import { type ObjectStore, type ObjectType, packError, type StoredObject } from "./object-store.ts";

/** Up to this a loop is faster than a call. */
const SHORT = 40;

function copyBytes(from: Buffer, start: number, to: Buffer, at: number, length: number): void {
  if (length > SHORT) to.set(from.subarray(start, start + length), at);
  else for (let i = 0; i < length; i++) to[at + i] = from[start + i] ?? 0;
}

/** Reads a size of a delta, and where it ends. */
function readSize(delta: Buffer, start: number): [size: number, end: number] {
  let at = start;
  let size = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = delta[at++] ?? 0;
    size += (byte & 127) * factor;
    if (byte < 128) return [size, at];
  }
}

/**
 * Runs the instructions of `delta` from `from` on: copies from `base` and inserts go to `slab`, from `to` up to `end`.
 * Throws GIT_PACK_CORRUPT when they do not fill that place exactly.
 */
function runDelta(delta: Buffer, from: number, base: StoredObject, slab: Buffer, start: number, end: number): void {
  const first = base.start + base.head;
  let at = from;
  let to = start;
  while (at < delta.length) {
    const op = delta[at++] ?? 0;
    if (op === 0) throw packError("a delta has an unknown instruction");
    if (op < 128) {
      if (to + op > end || at + op > delta.length) throw packError("a delta is longer than it announces");
      copyBytes(delta, at, slab, to, op);
      at += op;
      to += op;
      continue;
    }
    let place = 0;
    let length = 0;
    if (op & 1) place = delta[at++] ?? 0;
    if (op & 2) place += (delta[at++] ?? 0) * 0x100;
    if (op & 4) place += (delta[at++] ?? 0) * 0x10000;
    if (op & 8) place += (delta[at++] ?? 0) * 0x1000000;
    if (op & 16) length = delta[at++] ?? 0;
    if (op & 32) length += (delta[at++] ?? 0) * 0x100;
    if (op & 64) length += (delta[at++] ?? 0) * 0x10000;
    if (length === 0) length = 0x10000;
    if (place + length > base.size || to + length > end) throw packError("a delta copies from outside its base");
    copyBytes(base.slab, first + place, slab, to, length);
    to += length;
  }
  if (to !== end) throw packError("a delta is shorter than it announces");
}

/**
 * Makes the object that `delta` describes on top of `base` and puts it into the store.
 * Throws GIT_PACK_CORRUPT when the delta does not fit, GIT_PACK_TOO_LARGE. Format: gitformat-pack, "Deltified
 * representation".
 */
export function applyDelta(store: ObjectStore, base: StoredObject, delta: Buffer): StoredObject {
  const [baseSize, middle] = readSize(delta, 0);
  if (baseSize !== base.size) throw packError("a delta does not fit its base");
  const [size, begin] = readSize(delta, middle);
  const head = `${base.type} ${size}\0`;
  const { slab, start } = store.reserve(head.length + size);
  slab.write(head, start, "latin1");
  const to = start + head.length;
  runDelta(delta, begin, base, slab, to, to + size);
  return store.add(base.type, slab, start, head.length, size);
}

/** The header before each object's zlib stream in a pack. */
export interface PackObjectHeader {
  /** undefined for a delta */
  type: ObjectType | undefined;
  /** bytes of the inflated stream */
  size: number;
  /** bytes of this header */
  length: number;
  /** how many bytes before this object its base starts (OFS_DELTA) */
  baseDistance?: number;
  /** id of the base (REF_DELTA) */
  baseId?: string;
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
