import { isMagisError } from "../../model/magis-error.ts";
import { packError } from "./pack-error.ts";
import type { PackReader } from "./pack-reader.ts";
import { createPktLineParser } from "./pkt-line-parser.ts";

/** What came before the pack. */
export interface FetchAnswer {
  /** the server's own words when it refused; the pack is absent then */
  readonly refusal?: string;
  /** true when there was no pack: refused, or no answer of this protocol at all */
  readonly empty: boolean;
  /** commits whose parents the server left out */
  readonly shallow: readonly string[];
}

const PACK_DATA = 1;
const FATAL = 3;

/**
 * Reads the answer to a fetch, of protocol v1 or v2, and writes the pack into `reader` as it comes.
 * Throws GIT_PACK_CORRUPT when the pack is damaged or breaks off, GIT_PACK_TOO_LARGE, GIT_TIMEOUT, GIT_UNREACHABLE.
 */
export async function readFetchResponse(body: AsyncIterable<Buffer>, reader: PackReader): Promise<FetchAnswer> {
  const parser = createPktLineParser();
  const shallow: string[] = [];
  let refusal: string | undefined;
  let inBand = 0;

  const line = (text: string): void => {
    if (text.startsWith("shallow ")) shallow.push(text.slice(8));
    else if (text.startsWith("ERR ")) refusal = text.slice(4);
    // v2 says "packfile" before the pack; v1 says NAK.
    else if (text === "packfile" || text === "NAK") parser.inPieces = true;
  };
  const band = (piece: Buffer): void => {
    if (!parser.continued) inBand = piece[0] ?? 0;
    const content = parser.continued ? piece : piece.subarray(1);
    if (inBand === PACK_DATA) reader.write(content);
    else if (inBand === FATAL) throw packError(`the server gave up: ${content.toString("utf8").trim()}`);
  };

  try {
    for await (const bytes of body) {
      for (const packet of parser.feed(bytes)) {
        if (typeof packet === "string") continue;
        if (parser.inPieces) band(packet);
        else line(packet.toString("utf8").trim());
      }
    }
  } catch (error) {
    if (parser.inPieces && isMagisError(error, "GIT_UNREACHABLE")) throw packError("the connection broke off", error);
    throw error;
  }
  if (!parser.inPieces) return { empty: true, shallow, ...(refusal === undefined ? {} : { refusal }) };
  if (!parser.atBoundary) throw packError("it was cut off");
  reader.end();
  return { empty: false, shallow };
}
