import { createInflate } from "node:zlib";
import { type Inflater, SPARE_BYTES } from "./inflater.ts";

const NO_FLUSH = 0;

/** The part of zlib's binding that `inflateSync` itself uses. */
interface ZlibHandle {
  onerror: (message: string) => void;
  reset(): void;
  writeSync(
    flush: number,
    input: Buffer,
    from: number,
    length: number,
    out: Buffer,
    outFrom: number,
    outLength: number,
  ): void;
}

/**
 * An inflater over zlib's private handle: one handle for all streams, output straight into place, input as it comes.
 * Making a zlib object for each of 60,000 small objects costs more than inflating them. The handle is not documented,
 * so the caller tries it out first (`createInflater`). Throws when this Node has no such handle.
 */
export function createHandleInflater(): Inflater {
  const stream = createInflate() as unknown as { _handle?: ZlibHandle; _writeState?: Uint32Array };
  const handle = stream._handle;
  const state = stream._writeState;
  if (!handle || !state || typeof handle.writeSync !== "function") throw new Error("zlib has no handle to use");
  let problem: string | undefined;
  handle.onerror = (message) => {
    problem = message;
  };
  let out: Buffer = Buffer.alloc(0);
  let at = 0;
  let room = 0;

  return {
    begin(target, start, size) {
      handle.reset();
      problem = undefined;
      out = target;
      at = start;
      room = size + SPARE_BYTES;
    },
    write(bytes, from) {
      handle.writeSync(NO_FLUSH, bytes, from, bytes.length - from, out, at, room);
      if (problem !== undefined) throw new Error(problem);
      const roomLeft = state[0] ?? 0;
      const inputLeft = state[1] ?? 0;
      at += room - roomLeft;
      room = roomLeft;
      if (room < SPARE_BYTES) throw new Error("an object is larger than it announces");
      if (inputLeft === 0) return -1;
      if (room > SPARE_BYTES) throw new Error("an object is smaller than it announces");
      return inputLeft;
    },
    end: () => -1,
    tail: () => Buffer.alloc(0),
  };
}
