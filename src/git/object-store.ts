import { hash } from "node:crypto";
import { MagisError } from "../data/error.ts";

export type ObjectType = "commit" | "tree" | "blob" | "tag";

/** One git object inside a slab: `head` bytes of "type size\0" at `start`, then `size` bytes of content. */
export interface StoredObject {
  id: string;
  type: ObjectType;
  slab: Buffer;
  start: number;
  head: number;
  size: number;
}

/** Where an object goes. */
export interface Room {
  slab: Buffer;
  start: number;
}

const SLAB_BYTES = 4 << 20;

/** An object's cost besides its bytes: id, place, entries of two maps. Counts against the limit. */
const OBJECT_BYTES = 400;

/**
 * Git objects by id, packed in few large buffers with the header first, so that an object is hashed in one call and
 * handed out as a view.
 */
export class ObjectStore {
  readonly #objects = new Map<string, StoredObject>();
  readonly #written = new Set<string>();
  readonly #maxBytes: number;
  #slab: Buffer = Buffer.alloc(0);
  #used = 0;
  #bytes = 0;

  /** @param maxBytes of all objects together */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Throws GIT_PACK_TOO_LARGE when `bytes` more would pass the limit. */
  checkRoom(bytes: number): void {
    if (this.#bytes + bytes <= this.#maxBytes) return;
    throw tooLarge(this.#maxBytes);
  }

  /** Throws GIT_PACK_TOO_LARGE when `count` more objects, however small, would pass the limit. */
  checkCount(count: number): void {
    this.checkRoom(count * OBJECT_BYTES);
  }

  /** Room for an object of `bytes` bytes. Throws GIT_PACK_TOO_LARGE. */
  reserve(bytes: number): Room {
    this.checkRoom(bytes + OBJECT_BYTES);
    this.#bytes += bytes + OBJECT_BYTES;
    if (bytes > SLAB_BYTES / 2) return { slab: Buffer.allocUnsafeSlow(bytes), start: 0 };
    if (this.#used + bytes > this.#slab.length) {
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += bytes;
    return { slab: this.#slab, start };
  }

  /** Registers the object whose header and content are at `start` of `slab`. */
  add(type: ObjectType, slab: Buffer, start: number, head: number, size: number): StoredObject {
    const id = hash("sha1", slab.subarray(start, start + head + size), "hex");
    const object = { id, type, slab, start, head, size };
    this.#objects.set(id, object);
    return object;
  }

  /** Stores an object made here, header first, and notes that the server lacks it. */
  write(type: ObjectType, wrapped: Uint8Array, head: number): StoredObject {
    const { slab, start } = this.reserve(wrapped.length);
    slab.set(wrapped, start);
    const known = this.#objects.size;
    const object = this.add(type, slab, start, head, wrapped.length - head);
    if (this.#objects.size > known) this.#written.add(object.id);
    return object;
  }

  /** Keeps an object of the server, given without its header. Throws GIT_PACK_TOO_LARGE. */
  keep(type: ObjectType, content: Uint8Array): StoredObject {
    const head = `${type} ${content.length}\0`;
    const { slab, start } = this.reserve(head.length + content.length);
    slab.write(head, start, "latin1");
    slab.set(content, start + head.length);
    return this.add(type, slab, start, head.length, content.length);
  }

  get(id: string): StoredObject | undefined {
    return this.#objects.get(id);
  }

  /** The content of an object as a view, not a copy. */
  content(object: StoredObject): Buffer {
    const from = object.start + object.head;
    return object.slab.subarray(from, from + object.size);
  }

  /** Header and content, as a view. */
  wrapped(object: StoredObject): Buffer {
    return object.slab.subarray(object.start, object.start + object.head + object.size);
  }

  /** True for an object made here, false for one that came from the server. */
  isWritten(id: string): boolean {
    return this.#written.has(id);
  }

  /** The ids of all objects. */
  ids(): IterableIterator<string> {
    return this.#objects.keys();
  }

  /** Drops every object. */
  clear(): void {
    this.#objects.clear();
    this.#written.clear();
    this.#slab = Buffer.alloc(0);
    this.#used = 0;
    this.#bytes = 0;
  }
}

/** Error data: something here is unknown to this reader, but another one may know it. */
export const UNKNOWN = { unknown: true } as const;

/** GIT_PACK_CORRUPT; `problem` ends the sentence. */
export function packError(problem: string, cause?: unknown): MagisError {
  return new MagisError("GIT_PACK_CORRUPT", `The pack the server sent is damaged: ${problem}.`, { problem }, cause);
}

export interface CommitLinks {
  tree: string;
  parents: readonly string[];
}

/** A commit's tree and parents. Throws GIT_PACK_CORRUPT when it names no tree. */
export function commitLinks(content: Buffer): CommitLinks {
  const [head = ""] = content.toString("latin1").split("\n\n", 1);
  const ids = (line: RegExp) => [...head.matchAll(line)].map(([, id = ""]) => id);
  const [tree] = ids(/^tree ([0-9a-f]{40})$/gm);
  if (!tree) throw packError("a commit names no tree");
  return { tree, parents: ids(/^parent ([0-9a-f]{40})$/gm) };
}

/** @param limit in bytes */
export function tooLarge(limit: number): MagisError {
  const megabytes = `${Math.ceil(limit / 1024 ** 2)} MB`;
  const message = `The repository's clone is larger than the limit of ${megabytes}. Whoever runs MAGIS can raise it by MAGIS_CLONE_LIMIT_MB.`;
  return new MagisError("GIT_PACK_TOO_LARGE", message, { limit });
}
