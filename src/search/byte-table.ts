import { fnv1a } from "./fnv1a.ts";
import { grown } from "./grown.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** FNV's low bits are weak; the table uses those. */
function mixed(fnv: number): number {
  return fnv ^ (fnv >>> 15);
}

/** Numbers words from 0 in the order they are first seen: a hash table over bytes, so that a known word makes no string. */
export class ByteTable {
  /** how many words there are */
  size = 0;
  /** all words, one after the other; word `id` is `bytes[offsets[id], offsets[id + 1])` */
  bytes = new Uint8Array(1 << 16);
  offsets = new Int32Array((1 << 13) + 1);
  private slots = new Int32Array(1 << 14);
  private hashes = new Int32Array(1 << 13);

  /** The number of the word `from[start, end)`, new or known. `fnv` is its FNV-1a hash. */
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
    return this.insert(from.subarray(start, end), hash);
  }

  /** The number of a word given as a string, new or known. */
  add(word: string): number {
    const bytes = encoder.encode(word);
    return this.intern(bytes, 0, bytes.length, fnv1a(bytes, 0, bytes.length));
  }

  /** The number of a word, or -1 when it was never seen. */
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

  private insert(word: Uint8Array, hash: number): number {
    const id = this.size++;
    const offset = this.offsets[id] as number;
    this.hashes[id] = hash;
    this.bytes = grown(this.bytes, offset + word.length);
    this.bytes.set(word, offset);
    this.offsets[id + 1] = offset + word.length;
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
