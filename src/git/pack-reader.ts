import { createHash } from "node:crypto";
import { MagisError } from "../data/error.ts";
import { Inflater } from "./inflater.ts";
import { type ObjectStore, packError, type StoredObject } from "./object-store.ts";
import { applyDelta, type PackObjectHeader, packObjectHeader } from "./pack-objects.ts";

const NOTHING: Buffer = Buffer.alloc(0);

const SUM_BYTES = 20;

/** The object whose stream is being inflated, and where to. */
interface OpenObject {
  header: PackObjectHeader;
  offset: number;
  slab: Buffer;
  start: number;
  head: number;
}

/**
 * Reads a pack off the wire into an object store: inflates and hashes each object in its place, and resolves each delta
 * once, as soon as its base is known. Holds input only until its object is complete. `write` and `end` throw
 * GIT_PACK_CORRUPT and GIT_PACK_TOO_LARGE. Format: git's gitformat-pack, version 2.
 */
export class PackReader {
  readonly #store: ObjectStore;
  readonly #inflater = new Inflater();
  readonly #sum = createHash("sha1");
  readonly #byOffset = new Map<number, StoredObject>();
  readonly #waiting = new Map<number | string, { offset: number; delta: Buffer }[]>();
  #waitingCount = 0;
  /** the last bytes that came; they are the pack's own checksum if nothing follows */
  #tail: Buffer = NOTHING;
  #carry: Buffer = NOTHING;
  #received = 0;
  /** objects still to come; -1 until the pack's header was read */
  #left = -1;
  #open: OpenObject | undefined;
  #scratch: Buffer = Buffer.allocUnsafeSlow(1 << 16);

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** Takes the next bytes of the pack, and may keep a view of them. */
  write(bytes: Buffer): void {
    this.#received += bytes.length;
    this.#addToSum(bytes);
    this.#guard(() => this.#parse(this.#carry.length > 0 ? Buffer.concat([this.#carry, bytes]) : bytes));
  }

  /** Ends the pack, and checks that it is complete. */
  end(): void {
    this.#guard(() => {
      const left = this.#open ? this.#inflater.end() : -1;
      if (left < 0) return;
      this.#finish();
      this.#parse(this.#inflater.tail(left));
    });
    if (this.#left !== 0 || this.#carry.length < SUM_BYTES) throw packError("it was cut off");
    if (this.#carry.length > SUM_BYTES) throw packError("it goes on after its last object");
    if (this.#waitingCount > 0) throw packError(`the bases of ${this.#waitingCount} deltas are missing`);
    if (!this.#sum.digest().equals(this.#tail)) throw packError("its checksum is wrong");
  }

  #addToSum(bytes: Buffer): void {
    const all = bytes.length >= SUM_BYTES ? bytes : Buffer.concat([this.#tail, bytes]);
    if (all === bytes) this.#sum.update(this.#tail);
    const cut = Math.max(0, all.length - SUM_BYTES);
    this.#sum.update(all.subarray(0, cut));
    this.#tail = Buffer.from(all.subarray(cut));
  }

  #parse(bytes: Buffer): void {
    let input = bytes;
    let at = 0;
    this.#carry = NOTHING;
    while (at < input.length) {
      if (this.#open) {
        const left = this.#inflater.write(input, at);
        if (left < 0) return;
        if (left > input.length) input = this.#inflater.tail(left);
        at = input.length - left;
        this.#finish();
        continue;
      }
      const length = this.#readHeader(input, at);
      if (length === 0) {
        this.#carry = Buffer.from(input.subarray(at));
        return;
      }
      at += length;
    }
  }

  /** The header's length; 0 while it is incomplete, or when no object is left. */
  #readHeader(bytes: Buffer, at: number): number {
    if (this.#left < 0) return this.#readPackHeader(bytes);
    return this.#left > 0 ? this.#readObjectHeader(bytes, at) : 0;
  }

  #readPackHeader(bytes: Buffer): number {
    if (bytes.length < 12) return 0;
    const isPack = bytes.toString("latin1", 0, 4) === "PACK" && bytes.readUInt32BE(4) === 2;
    if (!isPack) throw packError("it is no pack of version 2");
    this.#left = bytes.readUInt32BE(8);
    this.#store.checkCount(this.#left);
    return 12;
  }

  #readObjectHeader(bytes: Buffer, at: number): number {
    const header = packObjectHeader(bytes, at);
    if (!header) return 0;
    const offset = this.#received - bytes.length + at;
    if (header.type) {
      const head = `${header.type} ${header.size}\0`;
      const { slab, start } = this.#store.reserve(head.length + header.size);
      slab.write(head, start, "latin1");
      this.#open = { header, offset, slab, start, head: head.length };
      this.#inflater.begin(slab, start + head.length, header.size);
    } else {
      this.#store.checkRoom(header.size);
      if (this.#scratch.length < header.size) this.#scratch = Buffer.allocUnsafeSlow(header.size * 2);
      this.#open = { header, offset, slab: this.#scratch, start: 0, head: 0 };
      this.#inflater.begin(this.#scratch, 0, header.size);
    }
    return header.length;
  }

  /** Turns zlib's errors into GIT_PACK_CORRUPT. */
  #guard(step: () => void): void {
    try {
      step();
    } catch (cause) {
      throw cause instanceof MagisError ? cause : packError((cause as Error).message, cause);
    }
  }

  /** Called when the open object's stream has ended: registers the object, or what its delta makes. */
  #finish(): void {
    if (!this.#open) return;
    const { header, offset, slab, start, head } = this.#open;
    this.#open = undefined;
    this.#left--;
    if (header.type) this.#file(offset, this.#store.add(header.type, slab, start, head, header.size));
    else this.#resolve(header, offset, slab.subarray(0, header.size));
  }

  #resolve(header: PackObjectHeader, offset: number, delta: Buffer): void {
    const key = header.baseId ?? offset - (header.baseDistance ?? 0);
    const base = typeof key === "string" ? this.#store.get(key) : this.#byOffset.get(key);
    if (base) {
      this.#file(offset, applyDelta(this.#store, base, delta));
      return;
    }
    const { slab, start } = this.#store.reserve(delta.length);
    delta.copy(slab, start);
    const waiting = this.#waiting.get(key) ?? [];
    waiting.push({ offset, delta: slab.subarray(start, start + delta.length) });
    this.#waiting.set(key, waiting);
    this.#waitingCount++;
  }

  /** Notes an object's offset, then resolves every delta that waited for it, directly or indirectly. */
  #file(offset: number, object: StoredObject): void {
    this.#byOffset.set(offset, object);
    if (this.#waitingCount === 0) return;
    const found: [number, StoredObject][] = [[offset, object]];
    for (let next = found.pop(); next; next = found.pop()) {
      const [at, base] = next;
      for (const key of [at, base.id]) {
        for (const { offset: place, delta } of this.#waiting.get(key) ?? []) {
          const made = applyDelta(this.#store, base, delta);
          this.#byOffset.set(place, made);
          this.#waitingCount--;
          found.push([place, made]);
        }
        this.#waiting.delete(key);
      }
    }
  }
}
