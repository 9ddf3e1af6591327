import { isMagisError, MagisError } from "../data/error.ts";
import { nextTurn } from "../text/next-turn.ts";
import { type ObjectStore, packError, UNKNOWN } from "./object-store.ts";
import { PackReader } from "./pack-reader.ts";
import { createPktLineParser, DELIMITER, FLUSH, pktLine } from "./pkt-line.ts";
import type { GitTransport } from "./transport.ts";

const HEADERS = {
  "content-type": "application/x-git-upload-pack-request",
  accept: "application/x-git-upload-pack-result",
  "git-protocol": "version=2",
};

/** A server that does not understand the request may answer with these instead of an empty 200. */
const MISUNDERSTOOD = [400, 405, 415, 422, 501];

/** Requests a pack once and reads it into `store`. A server that does not understand counts as an empty answer. */
async function requestPack(transport: GitTransport, store: ObjectStore, body: Buffer): Promise<FetchAnswer> {
  try {
    const response = await transport({ method: "POST", path: "/git-upload-pack", headers: HEADERS, body });
    return await readFetchResponse(response.body, new PackReader(store));
  } catch (error) {
    if (isMagisError(error) && MISUNDERSTOOD.includes(Number(error.data.status))) return { empty: true };
    throw error;
  }
}

/**
 * Fetches `depth` generations of commits up to `commit` with their trees, without blobs, into `store`: one request of
 * protocol v2. False when the server does not support that.
 * Throws as `fetchPack`.
 */
export async function fetchHistory(
  transport: GitTransport,
  store: ObjectStore,
  commit: string,
  depth: number,
): Promise<boolean> {
  return !(await requestPack(transport, store, fetchRequest(commit, depth, "blob:none"))).empty;
}

/**
 * Fetches one commit without its history into `store`. Protocol v2 needs no discovery for a known commit: one request,
 * and another without the filter where the server has none. Gives whether blobs over the limit may be missing. Throws
 * GIT_NOT_FOUND when the server does not give the commit, GIT_UNREACHABLE with `unknown` when it does not speak v2, and
 * what `GitTransport` and `readFetchResponse` throw.
 */
export async function fetchPack(
  transport: GitTransport,
  store: ObjectStore,
  commit: string,
  blobLimit?: number,
): Promise<{ filtered: boolean }> {
  let refusal = "";
  for (const filter of blobLimit === undefined ? [undefined] : [`blob:limit=${blobLimit}`, undefined]) {
    const answer = await requestPack(transport, store, fetchRequest(commit, 1, filter));
    if (!answer.empty) return { filtered: filter !== undefined };
    refusal = answer.refusal?.slice(0, 300) ?? "";
    if (refusal.includes("not our ref")) {
      const message = `The git server does not give commit ${commit}. It says: ${refusal}.`;
      throw new MagisError("GIT_NOT_FOUND", message, { commit, refusal });
    }
  }
  throw new MagisError("GIT_UNREACHABLE", "The server does not answer in git's protocol v2.", { ...UNKNOWN, refusal });
}

/**
 * The body that requests one commit, 40 hex digits.
 * @param filter which blobs to leave out, as git writes it; absent: none
 * Format: gitprotocol-v2 "fetch".
 */
function fetchRequest(commit: string, depth: number, filter?: string): Buffer {
  const head = ["command=fetch", "agent=git/magis", "object-format=sha1"].map((line) => pktLine(`${line}\n`));
  const leaves = filter === undefined ? [] : [`filter ${filter}`];
  const options = ["no-progress", "ofs-delta", `deepen ${depth}`, ...leaves, `want ${commit}`, "done"];
  return Buffer.concat([...head, DELIMITER, ...options.map((line) => pktLine(`${line}\n`)), FLUSH]);
}

interface FetchAnswer {
  /** the server's own words when it refused */
  refusal?: string | undefined;
  /** true when there was no pack: refused, or no answer of this protocol at all */
  empty: boolean;
}

const PACK_DATA = 1;

const FATAL = 3;

/**
 * Reads the answer to a fetch, and writes the pack into `reader` as it comes.
 * Throws GIT_PACK_CORRUPT when the pack is damaged or breaks off, GIT_PACK_TOO_LARGE, GIT_TIMEOUT, GIT_UNREACHABLE.
 */
async function readFetchResponse(body: AsyncIterable<Buffer>, reader: PackReader): Promise<FetchAnswer> {
  const parser = createPktLineParser();
  const pack = inLargePieces(reader);
  let refusal: string | undefined;
  let inBand = 0;

  const line = (text: string): void => {
    if (text.startsWith("ERR ")) refusal = text.slice(4);
    else if (text === "packfile") parser.inPieces = true;
  };
  const band = (piece: Buffer): void => {
    if (!parser.continued) inBand = piece[0] ?? 0;
    const content = parser.continued ? piece : piece.subarray(1);
    if (inBand === PACK_DATA) pack.write(content);
    else if (inBand === FATAL) throw packError(`the server gave up: ${content.toString("utf8").trim()}`);
  };

  try {
    for await (const bytes of body) {
      // Several clones may come in at once.
      await nextTurn();
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
  if (!parser.inPieces) return { empty: true, refusal };
  if (!parser.atBoundary) throw packError("it was cut off");
  pack.end();
  return { empty: false };
}

const LARGE_PIECE = 128 * 1024;

/** Joins what TLS gives 16 kB at a time: a piece mostly ends within an object, which is then inflated in vain. */
function inLargePieces(reader: PackReader): Pick<PackReader, "write" | "end"> {
  let held: Buffer[] = [];
  let length = 0;
  const pass = () => {
    const piece = Buffer.concat(held);
    held = [];
    length = 0;
    reader.write(piece);
  };
  return {
    write(bytes) {
      held.push(bytes);
      length += bytes.length;
      if (length >= LARGE_PIECE) pass();
    },
    end() {
      pass();
      reader.end();
    },
  };
}
