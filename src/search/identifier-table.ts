import { splitIdentifier, stemOf } from "./terms.ts";

const MAX_LENGTH = 256;

const isLower = (byte: number) => byte >= 97 && byte <= 122;

const isUpper = (byte: number) => byte >= 65 && byte <= 90;

const UNDERSCORE = 95;

const isEdge = (byte: number) => byte === UNDERSCORE || byte === 36;

/**
 * Every distinct identifier, as written, and the terms it stands for. Splits and stems each distinct identifier once,
 * on bytes; `splitIdentifier` does the same on strings, for identifiers that are not plain ASCII.
 */
export class IdentifierTable {
  readonly identifiers = new ByteTable();
  private readonly words = new ByteTable();
  private expanded = 0;
  /** word → the word of its stem, plus 1; 0: not computed yet */
  private stems = new Int32Array(1 << 12);
  /** word → its newest link, plus 1; a link holds an identifier and the previous link */
  private newest = new Int32Array(1 << 12);
  private linked = new Int32Array(1 << 14);
  private before = new Int32Array(1 << 14);
  private links = 0;
  private readonly lower = new Uint8Array(MAX_LENGTH);
  /** the same without the marks between its words */
  private readonly joined = new Uint8Array(MAX_LENGTH);

  get size(): number {
    return this.identifiers.size;
  }

  /** Every term an identifier stands for. */
  terms(id: number): string[] {
    return splitIdentifier(this.identifiers.name(id));
  }

  /** The identifiers that stand for `term`, as a whole or by one of their parts. */
  carriers(term: string): number[] {
    const found: number[] = [];
    const word = this.words.find(term);
    for (let link = word < 0 ? 0 : (this.newest[word] ?? 0); link !== 0; link = this.before[link - 1] as number)
      found.push(this.linked[link - 1] as number);
    return found;
  }

  /** Splits what is new since the last call. Call it after adding identifiers and before `carriers`. */
  expand(): void {
    for (; this.expanded < this.size; this.expanded++) this.split(this.expanded);
  }

  private split(id: number): void {
    const { bytes, offsets } = this.identifiers;
    let start = offsets[id] as number;
    let end = offsets[id + 1] as number;
    while (start < end && isEdge(bytes[start] as number)) start++;
    while (start < end && isEdge(bytes[end - 1] as number)) end--;
    let letters = true;
    let whole = 0;
    for (let i = start; i < end; i++) {
      const byte = bytes[i] as number;
      if (byte >= 128) {
        for (const term of this.terms(id)) this.link(this.words.add(term), id);
        return;
      }
      this.lower[i - start] = isUpper(byte) ? byte | 32 : byte;
      if (byte === UNDERSCORE) continue;
      this.joined[whole++] = this.lower[i - start] as number;
      letters &&= isUpper(byte) || isLower(byte);
    }
    const first = this.lower[0] as number;
    if (whole > 1 && !(first >= 48 && first <= 57)) this.linkWord(id, this.joined, 0, whole, letters);
    for (let at = start; at < end; ) {
      const next = segmentEnd(bytes, at, end);
      if (next - at > 1) this.linkWord(id, this.lower, at - start, next - start, true);
      at = Math.max(next, at + 1);
    }
  }

  private linkWord(id: number, from: Uint8Array, start: number, end: number, letters: boolean): void {
    const word = this.words.intern(from, start, end, fnv1a(from, start, end));
    this.link(letters && end - start > 2 ? this.stemOf(word) : word, id);
  }

  private stemOf(word: number): number {
    this.stems = grown(this.stems, word + 1);
    if (this.stems[word] === 0) {
      const name = this.words.name(word);
      const stem = stemOf(name);
      this.stems[word] = (stem === name ? word : this.words.add(stem)) + 1;
    }
    return (this.stems[word] as number) - 1;
  }

  private link(word: number, id: number): void {
    this.newest = grown(this.newest, word + 1);
    const newest = this.newest[word] as number;
    if (newest !== 0 && this.linked[newest - 1] === id) return;
    this.linked = grown(this.linked, this.links + 1);
    this.before = grown(this.before, this.links + 1);
    this.linked[this.links] = id;
    this.before[this.links] = newest;
    this.newest[word] = ++this.links;
  }
}

/** Where the part of a name that begins at `at` ends: `HTTPServer` is HTTP and Server. `at` if no part begins there. */
function segmentEnd(bytes: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end && isUpper(bytes[i] as number)) i++;
  if (i < end && isLower(bytes[i] as number)) {
    if (i - at > 1) return i - 1;
    while (i < end && isLower(bytes[i] as number)) i++;
  }
  return i;
}

const encoder = new TextEncoder();

const decoder = new TextDecoder();

/** Mixes the high bits in: the table uses the low ones, which are weak in FNV. */
function mixed(fnv: number): number {
  return fnv ^ (fnv >>> 15);
}

/** Numbers words from 0 in order of appearance. It hashes bytes, so that a known word makes no string. */
class ByteTable {
  /** how many words there are */
  size = 0;
  /** all words, one after the other; word `id` is `bytes[offsets[id], offsets[id + 1])` */
  bytes = new Uint8Array(1 << 16);
  offsets = new Int32Array((1 << 13) + 1);
  private slots = new Int32Array(1 << 14);
  private hashes = new Int32Array(1 << 13);
  private readonly encoded = new Uint8Array(MAX_LENGTH);

  /** The number of the word `from[start, end)`, added if new. `fnv` is its FNV-1a hash. */
  intern(from: Uint8Array, start: number, end: number, fnv: number): number {
    const hash = mixed(fnv);
    const { slots, hashes, offsets, bytes } = this;
    const mask = slots.length - 1;
    const length = end - start;
    let slot = hash & mask;
    for (let found = slots[slot] as number; found !== 0; found = slots[slot] as number) {
      const id = found - 1;
      const offset = offsets[id] as number;
      if (hashes[id] === hash && (offsets[id + 1] as number) - offset === length) {
        let i = 0;
        while (i < length && bytes[offset + i] === from[start + i]) i++;
        if (i === length) return id;
      }
      slot = (slot + 1) & mask;
    }
    slots[slot] = this.size + 1;
    return this.insert(from, start, end, hash);
  }

  /** The number of a word given as a string of at most 256 bytes, added if new. */
  add(word: string): number {
    const { written } = encoder.encodeInto(word, this.encoded);
    return this.intern(this.encoded, 0, written, fnv1a(this.encoded, 0, written));
  }

  /** The number of a word; -1 if unknown. */
  find(word: string): number {
    const bytes = encoder.encode(word);
    const hash = mixed(fnv1a(bytes, 0, bytes.length));
    const mask = this.slots.length - 1;
    for (let slot = hash & mask; this.slots[slot] !== 0; slot = (slot + 1) & mask) {
      const id = (this.slots[slot] as number) - 1;
      if (this.hashes[id] === hash && this.name(id) === word) return id;
    }
    return -1;
  }

  /** The word of a number. */
  name(id: number): string {
    return decoder.decode(this.bytes.subarray(this.offsets[id], this.offsets[id + 1]));
  }

  private insert(from: Uint8Array, start: number, end: number, hash: number): number {
    const id = this.size++;
    const offset = this.offsets[id] as number;
    this.hashes[id] = hash;
    this.bytes = grown(this.bytes, offset + end - start);
    for (let i = start; i < end; i++) this.bytes[offset + i - start] = from[i] as number;
    this.offsets[id + 1] = offset + end - start;
    if (this.size * 2 >= this.slots.length) this.rehash();
    return id;
  }

  private rehash(): void {
    const slots = new Int32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    for (let id = 0; id < this.size; id++) {
      let slot = (this.hashes[id] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
    this.slots = slots;
    this.hashes = grown(this.hashes, slots.length / 2);
    this.offsets = grown(this.offsets, slots.length / 2 + 1);
  }
}

/** FNV-1a over `bytes[start, end)`, the hash that `ByteTable.intern` expects. Scanners compute it on the way. */
function fnv1a(bytes: Uint8Array, start: number, end: number): number {
  let hash = -2128831035;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), 16777619);
  return hash;
}

/** An array of at least `length` places with the same content; the array itself if it is long enough. */
export function grown<T extends Uint8Array | Int32Array>(array: T, length: number): T {
  if (array.length >= length) return array;
  const larger = new (array.constructor as new (length: number) => T)(Math.max(array.length * 2, length));
  larger.set(array);
  return larger;
}
