import { MagisError } from "../data/error.ts";
import { UNKNOWN } from "./object-store.ts";

export const FLUSH: Buffer = Buffer.from("0000");

export const DELIMITER: Buffer = Buffer.from("0001");

/** One pkt-line: four hex digits of length, then the payload (gitprotocol-common). */
export function pktLine(payload: string | Uint8Array): Buffer {
  const bytes = Buffer.from(payload);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes]);
}

/** A payload, or a special line. */
export type Packet = Buffer | "flush" | "delimiter" | "end";

const SPECIAL: readonly Packet[] = ["flush", "delimiter", "end"];

export interface PktLineParser {
  /** Gives the packets that these bytes complete. Throws GIT_UNREACHABLE for anything but pkt-lines. */
  feed(bytes: Buffer): Generator<Packet>;
  /** True: gives the parts of a packet as they come, without copying. */
  inPieces: boolean;
  /** Whether the last packet continues the one before. */
  continued: boolean;
  /** Whether no packet is half read. */
  atBoundary: boolean;
}

/** The length in four hex digits at `at`, themselves included; 3, which no line has, when they are no digits. */
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
          if (!special) throw new MagisError("GIT_UNREACHABLE", "The server's answer is not git's protocol.", UNKNOWN);
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

/** A server's refs and capabilities. */
interface Advertisement {
  /** full ref name → id */
  refs: ReadonlyMap<string, string>;
  /** full ref name of an annotated tag → id of the tagged object */
  peeled: ReadonlyMap<string, string>;
  capabilities: ReadonlySet<string>;
}

/**
 * Reads the answer to `GET /info/refs?service=…`. Undefined when it is no git advertisement.
 * Format: gitprotocol-http "Smart Server Response".
 */
export function parseAdvertisement(bytes: Buffer): Advertisement | undefined {
  const refs = new Map<string, string>();
  const peeled = new Map<string, string>();
  const capabilities = new Set<string>();
  let lines = 0;
  try {
    for (const packet of createPktLineParser().feed(bytes)) {
      if (typeof packet === "string") continue;
      const line = packet.toString("utf8").replace(/\n$/, "");
      lines++;
      if (line.startsWith("# service=")) continue;
      const [ref = "", list = ""] = line.split("\0");
      for (const name of list.split(" ")) capabilities.add(name);
      if (!/^[0-9a-f]{40} ./.test(ref)) return undefined;
      if (ref.endsWith("^{}")) peeled.set(ref.slice(41, -3), ref.slice(0, 40));
      else refs.set(ref.slice(41), ref.slice(0, 40));
    }
  } catch {
    return undefined;
  }
  return lines > 0 ? { refs, peeled, capabilities } : undefined;
}
