import { inflateSync } from "node:zlib";
import type { Inflater } from "./inflater.ts";

/** What zlib's `info` option makes `inflateSync` give; the published types do not know of it. */
interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

/** Told by its code: not every zlib error is an instance of this realm's Error. */
const isCutOff = (error: unknown): boolean => (error as { code?: string } | null)?.code === "Z_BUF_ERROR";

/**
 * An inflater over the documented `zlib.inflateSync`. That function takes a stream as a whole, so input is held until
 * the stream is complete; the next attempt waits until there is twice as much, to stay linear.
 */
export function createPublicInflater(): Inflater {
  let out: Buffer = Buffer.alloc(0);
  let at = 0;
  let size = 0;
  let held: Buffer[] = [];
  let length = 0;
  let enough = 0;

  const attempt = (): number => {
    const input = held.length === 1 && held[0] ? held[0] : Buffer.concat(held);
    const options = { info: true, chunkSize: Math.max(64, Math.min(size + 1, 1 << 20)), maxOutputLength: size + 1 };
    try {
      const { buffer, engine } = inflateSync(input, options) as unknown as Inflated;
      if (buffer.length !== size) throw new Error(`an object has ${buffer.length} bytes and announces ${size}`);
      buffer.copy(out, at);
      held = [input];
      return input.length - engine.bytesWritten;
    } catch (error) {
      if (!isCutOff(error)) throw error;
      held = [input];
      enough = length * 2;
      return -1;
    }
  };

  return {
    begin(target, start, bytes) {
      out = target;
      at = start;
      size = bytes;
      held = [];
      length = 0;
      enough = 0;
    },
    write(bytes, from) {
      held.push(bytes.subarray(from));
      length += bytes.length - from;
      return length < enough ? -1 : attempt();
    },
    end: attempt,
    tail: (bytes) => Buffer.concat(held).subarray(length - bytes),
  };
}
