import { inflateSync } from "node:zlib";

/** What `inflateSync` returns with `info`; the published types lack it. */
interface Inflated {
  buffer: Buffer;
  engine: { bytesWritten: number };
}

/** By code: a zlib error may come from another realm. */
const isCutOff = (error: unknown): boolean => (error as { code?: string } | null)?.code === "Z_BUF_ERROR";

/**
 * Inflates one zlib stream after another, each into a given place. Input may come in pieces: `inflateSync` wants a
 * whole stream, so input is held until complete, and each attempt waits for twice as much, to stay linear.
 */
export class Inflater {
  #out: Buffer = Buffer.alloc(0);
  #at = 0;
  #size = 0;
  #held: Buffer[] = [];
  #length = 0;
  #enough = 0;

  /** Starts a stream of exactly `size` bytes, which go to `out` at `at`. */
  begin(out: Buffer, at: number, size: number): void {
    this.#out = out;
    this.#at = at;
    this.#size = size;
    this.#held = [];
    this.#length = 0;
    this.#enough = 0;
  }

  /**
   * Takes `bytes` from `at` on. Gives how many bytes follow the end of the stream, or -1 while it goes on. Throws on
   * damage.
   */
  write(bytes: Buffer, at: number): number {
    this.#held.push(bytes.subarray(at));
    this.#length += bytes.length - at;
    return this.#length < this.#enough ? -1 : this.end();
  }

  /** Inflates what is held, for instance at the end of the input. Returns as `write`. */
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
