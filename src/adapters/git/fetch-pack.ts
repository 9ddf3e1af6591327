import { isMagisError, MagisError } from "../../model/error.ts";
import { nextTurn } from "../../text/next-turn.ts";
import { type ObjectStore, packError, UNKNOWN } from "./object-store.ts";
import { PackReader } from "./pack-reader.ts";
import { type Advertisement, createPktLineParser, DELIMITER, FLUSH, parseAdvertisement, pktLine } from "./pkt-line.ts";
import { collectBody, type GitTransport } from "./transport.ts";

export interface FetchedPack {
  readonly shallow: readonly string[];
  /** true when blobs over the limit may be missing */
  readonly filtered: boolean;
}

const V2 = { "git-protocol": "version=2" };

const HEADERS = {
  "content-type": "application/x-git-upload-pack-request",
  accept: "application/x-git-upload-pack-result",
};

/** A server that does not understand the request may answer with these instead of an empty 200. */
const MISUNDERSTOOD = [400, 405, 415, 422, 501];

function notGiven(commit: string, refusal?: string): MagisError {
  const reply = refusal ? ` It says: ${refusal.slice(0, 300)}.` : "";
  return new MagisError("GIT_NOT_FOUND", `The git server does not give commit ${commit}.${reply}`, { commit, refusal });
}

/** Whether a server of the old protocol gives this commit by its id. */
function givesCommit(server: Advertisement, commit: string): boolean {
  if ([...server.refs.values()].includes(commit)) return true;
  return ["allow-tip-sha1-in-want", "allow-reachable-sha1-in-want", "allow-any-sha1-in-want"].some((name) =>
    server.capabilities.has(name),
  );
}

/** Requests a pack once and reads it into `store`. A server that does not understand counts as an empty answer. */
async function requestPack(
  transport: GitTransport,
  store: ObjectStore,
  body: Buffer,
  headers: Record<string, string>,
): Promise<FetchAnswer> {
  try {
    const all = { ...HEADERS, ...headers };
    const response = await transport({ method: "POST", path: "/git-upload-pack", headers: all, body });
    return await readFetchResponse(response.body, new PackReader(store));
  } catch (error) {
    if (isMagisError(error) && MISUNDERSTOOD.includes(Number(error.data.status))) return { empty: true, shallow: [] };
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
  const { v2 } = fetchRequests(commit, { depth, filter: "blob:none" });
  return !(await requestPack(transport, store, v2, V2)).empty;
}

/**
 * Fetches one commit without its history into `store`. Protocol v2 needs no discovery for a known commit: one request.
 * Only a server that does not understand it is asked what it speaks; then the filter is left out, or protocol v1 is
 * used, which gives tips of refs and, if advertised, other commits. Throws GIT_NOT_FOUND when the server does not give
 * the commit, and what `GitTransport` and `readFetchResponse` throw.
 */
export async function fetchPack(
  transport: GitTransport,
  store: ObjectStore,
  commit: string,
  blobLimit?: number,
): Promise<FetchedPack> {
  const attempt = (body: Buffer, headers: Record<string, string>) => requestPack(transport, store, body, headers);
  const asked = (limit: number | undefined) =>
    fetchRequests(commit, { depth: 1, filter: limit === undefined ? undefined : `blob:limit=${limit}` });

  const first = await attempt(asked(blobLimit).v2, V2);
  if (!first.empty) return { shallow: first.shallow, filtered: blobLimit !== undefined };
  if (first.refusal?.includes("not our ref")) throw notGiven(commit, first.refusal);

  const discovery = await transport({ method: "GET", path: "/info/refs?service=git-upload-pack", headers: V2 });
  const server = parseAdvertisement(await collectBody(discovery.body));
  if (!server) throw new MagisError("GIT_UNREACHABLE", "The server does not answer like a git server.", UNKNOWN);
  const fetchOptions = server.capabilities.get("fetch")?.split(" ") ?? [];
  const filters = server.version === 2 ? fetchOptions.includes("filter") : server.capabilities.has("filter");
  const limit = filters ? blobLimit : undefined;
  if (server.version === 1 && !givesCommit(server, commit)) throw notGiven(commit, first.refusal);
  const requests = asked(limit);
  const second = server.version === 2 ? await attempt(requests.v2, V2) : await attempt(requests.v1, {});
  if (second.empty) throw notGiven(commit, second.refusal ?? first.refusal);
  return { shallow: second.shallow, filtered: limit !== undefined };
}

/** Bodies that request one commit, in either protocol. */
export interface FetchRequests {
  readonly v2: Buffer;
  readonly v1: Buffer;
}

/**
 * @param commit the wanted commit, 40 hex digits
 * @param filter which blobs to leave out, as git writes it; absent: none
 * Format: gitprotocol-v2 "fetch" and gitprotocol-pack "Packfile Negotiation".
 */
function fetchRequests(
  commit: string,
  { depth, filter: leaves }: { readonly depth: number; readonly filter?: string },
): FetchRequests {
  const filter = leaves === undefined ? [] : [pktLine(`filter ${leaves}\n`)];
  const want = pktLine(`want ${commit}\n`);
  const capabilities = `side-band-64k ofs-delta no-progress agent=git/magis${filter.length > 0 ? " filter" : ""}`;
  const deepen = pktLine(`deepen ${depth}\n`);
  const done = pktLine("done\n");
  const v2Head = [pktLine("command=fetch\n"), pktLine("agent=git/magis\n"), pktLine("object-format=sha1\n"), DELIMITER];
  const v2Options = [pktLine("no-progress\n"), pktLine("ofs-delta\n"), deepen, ...filter, want, done, FLUSH];
  return {
    v2: Buffer.concat([...v2Head, ...v2Options]),
    v1: Buffer.concat([pktLine(`want ${commit} ${capabilities}\n`), deepen, ...filter, FLUSH, done]),
  };
}

export interface FetchAnswer {
  /** the server's own words when it refused */
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
async function readFetchResponse(body: AsyncIterable<Buffer>, reader: PackReader): Promise<FetchAnswer> {
  const parser = createPktLineParser();
  const pack = inLargePieces(reader);
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
  if (!parser.inPieces) return { empty: true, shallow, refusal };
  if (!parser.atBoundary) throw packError("it was cut off");
  pack.end();
  return { empty: false, shallow };
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
