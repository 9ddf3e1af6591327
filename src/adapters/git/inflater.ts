import { inflateSync } from "node:zlib";

/** What zlib's `info` option makes `inflateSync` give; the published types do not know of it. */
interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

/** Told by its code: not every zlib error is an instance of this realm's Error. */
const isCutOff = (error: unknown): boolean => (error as { code?: string } | null)?.code === "Z_BUF_ERROR";

/**
 * Inflates one zlib stream after another, each into a place given beforehand. A stream's input may come in any number
 * of pieces. `inflateSync` takes a stream whole, so input is held until the stream is complete; the next attempt waits
 * until there is twice as much, to stay linear.
 */
export class Inflater {
  #out: Buffer = Buffer.alloc(0);
  #at = 0;
  #size = 0;
  #held: Buffer[] = [];
  #length = 0;
  #enough = 0;

  /** Starts a stream that must give exactly `size` bytes; they go to `out` at `at`. */
  begin(out: Buffer, at: number, size: number): void {
    this.#out = out;
    this.#at = at;
    this.#size = size;
    this.#held = [];
    this.#length = 0;
    this.#enough = 0;
  }

  /**
   * Takes input, `bytes` from `at` on. Gives how many bytes of the input follow the end of the stream, or -1 while the
   * stream goes on. Throws on damage.
   */
  write(bytes: Buffer, at: number): number {
    this.#held.push(bytes.subarray(at));
    this.#length += bytes.length - at;
    return this.#length < this.#enough ? -1 : this.end();
  }

  /** Inflates what is held, for instance because no input will follow. Gives what `write` gives. */
  end(): number {
    const size = this.#size;
    const input = this.#held.length === 1 && this.#held[0] ? this.#held[0] : Buffer.concat(this.#held);
    const options = { info: true, chunkSize: Math.max(64, Math.min(size + 1, 1 << 20)), maxOutputLength: size + 1 };
    this.#held = [input];
    try {
      const { buffer, engine } = inflateSync(input, options) as unknown as Inflated;
      if (buffer.length !== size) throw new Error(`an object has ${buffer.length} bytes and announces ${size}`);
      buffer.copy(this.#out, this.#at);
      return input.length - engine.bytesWritten;
    } catch (error) {
      if (!isCutOff(error)) throw error;
      this.#enough = this.#length * 2;
      return -1;
    }
  }

  /** The last bytes of the input: more may follow the stream than came with the last `write`. */
  tail(length: number): Buffer {
    return Buffer.concat(this.#held).subarray(this.#length - length);
  }
}
