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
