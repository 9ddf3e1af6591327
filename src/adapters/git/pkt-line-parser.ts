import { MagisError } from "../../model/magis-error.ts";

/** A payload, or what one of the special lines says. */
export type Packet = Buffer | "flush" | "delimiter" | "end";

const SPECIAL: readonly Packet[] = ["flush", "delimiter", "end"];

export interface PktLineParser {
  /** Gives the packets that are complete with these bytes. Throws GIT_UNREACHABLE when they are no pkt-lines. */
  feed(bytes: Buffer): Generator<Packet>;
  /** Set to true to be given what there is of a packet at once, the rest later: nothing is copied together then. */
  inPieces: boolean;
  /** True when the packet given last is a further piece of the one before. */
  readonly continued: boolean;
  /** True when no packet is half read. */
  readonly atBoundary: boolean;
}

/** The length that four hex digits at `at` announce, themselves included; 3, which no line has, when they are none. */
function lengthAt(bytes: Buffer, at: number): number {
  const digits = bytes.toString("latin1", at, at + 4);
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : 3;
}

/** Cuts a stream of bytes into pkt-lines (gitprotocol-common). Payloads are views of the input. */
export function createPktLineParser(): PktLineParser {
  let rest: Buffer = Buffer.alloc(0);
  let missing = 0;
  let continued = false;
  return {
    inPieces: false,
    get continued() {
      return continued;
    },
    get atBoundary() {
      return rest.length === 0 && missing === 0;
    },
    *feed(bytes) {
      const all = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
      let at = Math.min(missing, all.length);
      if (at > 0) {
        missing -= at;
        continued = true;
        yield all.subarray(0, at);
      }
      continued = false;
      while (at + 4 <= all.length) {
        const length = lengthAt(all, at);
        const special = SPECIAL[length];
        if (length < 4) {
          if (!special) throw new MagisError("GIT_UNREACHABLE", "The server's answer is not git's protocol.");
          at += 4;
          yield special;
          continue;
        }
        const end = Math.min(at + length, all.length);
        if (end < at + length && !(this.inPieces && end > at + 4)) break;
        missing = at + length - end;
        const payload = all.subarray(at + 4, end);
        at = end;
        yield payload;
      }
      rest = Buffer.from(all.subarray(at));
    },
  };
}
