import { createInflate, deflateSync, inflateSync } from "node:zlib";

const throws = (action: () => unknown): boolean => {
  try {
    action();
    return false;
  } catch {
    return true;
  }
};

/** Two streams in a row, the first in two pieces, then a damaged one and one longer than announced. */
function passes(inflater: Inflater): boolean {
  const text = Buffer.from("the quick brown fox ".repeat(50));
  const packed = deflateSync(text);
  const empty = deflateSync(Buffer.alloc(0));
  const out = Buffer.alloc(text.length + 2 + SPARE_BYTES);
  inflater.begin(out, 1, text.length);
  if (inflater.write(packed.subarray(0, 9), 0) !== -1) return false;
  const rest = Buffer.concat([packed.subarray(5), empty, Buffer.from("end")]);
  if (inflater.write(rest, 4) !== empty.length + 3 || !out.subarray(1, text.length + 1).equals(text)) return false;
  inflater.begin(out, 0, 0);
  if (inflater.write(rest, rest.length - empty.length - 3) !== 3) return false;
  const damaged = Buffer.concat([packed.subarray(0, -1), Buffer.from([packed.at(-1) === 0 ? 1 : 0]), empty]);
  inflater.begin(out, 0, text.length);
  if (!throws(() => inflater.write(damaged, 0))) return false;
  inflater.begin(out, 0, text.length - 1);
  return throws(() => inflater.write(packed, 0));
}

/** The fastest inflater that works on this Node: zlib's handle when it passes a self-test, else the public function. */
export function createInflater(makeFast: () => Inflater = createHandleInflater): Inflater {
  try {
    if (passes(makeFast())) return makeFast();
  } catch {
    // A Node whose zlib is built otherwise: the public way is slower and always there.
  }
  return createPublicInflater();
}

/**
 * Bytes of room behind each place. What overruns its announced size shows there, and zlib's fast loop stops 258 bytes
 * before the end of its room: without these, every small object would be inflated by the slow one.
 */
export const SPARE_BYTES = 320;

/**
 * Inflates one zlib stream after another, each into a place given beforehand.
 * A stream's input may come in any number of pieces.
 */
export interface Inflater {
  /** Starts a stream that must give exactly `size` bytes; they go to `out` at `at`; SPARE_BYTES follow there. */
  begin(out: Buffer, at: number, size: number): void;
  /**
   * Takes input, `bytes` from `at` on. Gives how many bytes of the input follow the end of the stream, or -1 while the
   * stream goes on. Throws on damage.
   */
  write(bytes: Buffer, at: number): number;
  /** Says that no input will follow. Gives what `write` gives; -1 is a stream that was cut off. */
  end(): number;
  /** The last bytes of the stream's input: there may be more after its end than were given with the last `write`. */
  tail(length: number): Buffer;
}

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
