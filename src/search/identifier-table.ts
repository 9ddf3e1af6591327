import { ByteTable } from "./byte-table.ts";
import { createStemmer } from "./create-stemmer.ts";
import { fnv1a } from "./fnv1a.ts";
import { grown } from "./grown.ts";
import { splitIdentifier } from "./split-identifier.ts";

const MAX_LENGTH = 256;
const isLower = (byte: number) => byte >= 97 && byte <= 122;
const isUpper = (byte: number) => byte >= 65 && byte <= 90;
const isEdge = (byte: number) => byte === 95 || byte === 36;

/**
 * Every distinct identifier seen, as written, and the terms it stands for. Splitting and stemming happen once per
 * distinct identifier, not per occurrence, and on bytes; `splitIdentifier` says the same in words, and is used for
 * identifiers that are not plain ASCII.
 */
export class IdentifierTable {
  readonly identifiers = new ByteTable();
  private readonly words = new ByteTable();
  private readonly stem = createStemmer();
  private expanded = 0;
  /** word → the word of its stem, plus 1; 0 where it was not asked yet */
  private stems = new Int32Array(1 << 12);
  /** word → its newest link, plus 1; a link holds an identifier, and the link before it */
  private newest = new Int32Array(1 << 12);
  private linked = new Int32Array(1 << 14);
  private before = new Int32Array(1 << 14);
  private links = 0;
  private readonly lower = new Uint8Array(MAX_LENGTH);

  constructor(names: Iterable<string> = []) {
    for (const name of names) this.identifiers.add(name);
  }

  get size(): number {
    return this.identifiers.size;
  }

  /** Every term an identifier stands for. */
  terms(id: number): string[] {
    return splitIdentifier(this.identifiers.name(id), this.stem);
  }

  /** The identifiers that stand for `term`, themselves or by one of their parts. */
  carriers(term: string): number[] {
    const found: number[] = [];
    const word = this.words.find(term);
    for (let link = word < 0 ? 0 : (this.newest[word] ?? 0); link !== 0; link = this.before[link - 1] as number)
      found.push(this.linked[link - 1] as number);
    return found;
  }

  /** Splits what is new since the last call; to be called when identifiers were added, before `carriers`. */
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
    for (let i = start; i < end; i++) {
      const byte = bytes[i] as number;
      if (byte >= 128) {
        for (const term of this.terms(id)) this.link(this.words.add(term), id);
        return;
      }
      this.lower[i - start] = isUpper(byte) ? byte | 32 : byte;
      letters &&= isUpper(byte) || isLower(byte);
    }
    const first = this.lower[0] as number;
    if (end - start > 1 && !(first >= 48 && first <= 57)) this.linkWord(id, 0, end - start, letters);
    for (let at = start; at < end; ) {
      const next = segmentEnd(bytes, at, end);
      if (next - at > 1) this.linkWord(id, at - start, next - start, true);
      at = Math.max(next, at + 1);
    }
  }

  private linkWord(id: number, start: number, end: number, letters: boolean): void {
    const word = this.words.intern(this.lower, start, end, fnv1a(this.lower, start, end));
    this.link(letters && end - start > 2 ? this.stemOf(word) : word, id);
  }

  private stemOf(word: number): number {
    this.stems = grown(this.stems, word + 1);
    if (this.stems[word] === 0) this.stems[word] = this.words.add(this.stem(this.words.name(word))) + 1;
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

/** Where the part of a name that begins at `at` ends: `HTTPServer` is HTTP and Server. `at` itself when none begins. */
function segmentEnd(bytes: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end && isUpper(bytes[i] as number)) i++;
  if (i < end && isLower(bytes[i] as number)) {
    if (i - at > 1) return i - 1;
    while (i < end && isLower(bytes[i] as number)) i++;
  }
  return i;
}
