import { isMagisError, MagisError } from "../../model/magis-error.ts";
import { collectBody } from "./collect-body.ts";
import { createInflater } from "./create-inflater.ts";
import { fetchRequests } from "./fetch-requests.ts";
import type { GitTransport } from "./git-transport.ts";
import type { ObjectStore } from "./object-store.ts";
import { PackReader } from "./pack-reader.ts";
import { type Advertisement, parseAdvertisement } from "./parse-advertisement.ts";
import { type FetchAnswer, readFetchResponse } from "./read-fetch-response.ts";

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

/** Statuses with which a server that does not understand the request may answer, rather than with an empty 200. */
const MISUNDERSTOOD = [400, 405, 415, 422, 501];

function notGiven(commit: string, refusal?: string): MagisError {
  const words = refusal ? ` It says: ${refusal.slice(0, 300)}.` : "";
  return new MagisError("GIT_NOT_FOUND", `The git server does not give commit ${commit}.${words}`, { commit, refusal });
}

/** True when a server of the old protocol gives this commit to who asks for it by id. */
function givesCommit(server: Advertisement, commit: string): boolean {
  if ([...server.refs.values()].includes(commit)) return true;
  return ["allow-tip-sha1-in-want", "allow-reachable-sha1-in-want", "allow-any-sha1-in-want"].some((name) =>
    server.capabilities.has(name),
  );
}

/**
 * Fetches one commit without its history into `store`.
 * Protocol v2 needs no discovery when the commit is known: one request. Only when that is not understood is the server
 * asked what it speaks; then the filter is left out, or protocol v1 is used, which gives tips of refs and, where the
 * server says so, other commits. Throws GIT_NOT_FOUND when the server does not give the commit, and what
 * `GitTransport` and `readFetchResponse` throw.
 */
export async function fetchPack(
  transport: GitTransport,
  store: ObjectStore,
  commit: string,
  blobLimit?: number,
): Promise<FetchedPack> {
  const attempt = async (body: Buffer, headers: Record<string, string>): Promise<FetchAnswer> => {
    try {
      const all = { ...HEADERS, ...headers };
      const response = await transport({ method: "POST", path: "/git-upload-pack", headers: all, body });
      return await readFetchResponse(response.body, new PackReader(store, createInflater()));
    } catch (error) {
      if (isMagisError(error) && MISUNDERSTOOD.includes(Number(error.data.status))) return { empty: true, shallow: [] };
      throw error;
    }
  };

  const first = await attempt(fetchRequests(commit, blobLimit).v2, V2);
  if (!first.empty) return { shallow: first.shallow, filtered: blobLimit !== undefined };
  if (first.refusal?.includes("not our ref")) throw notGiven(commit, first.refusal);

  const discovery = await transport({ method: "GET", path: "/info/refs?service=git-upload-pack", headers: V2 });
  const server = parseAdvertisement(await collectBody(discovery.body));
  if (!server) throw new MagisError("GIT_UNREACHABLE", "The server does not answer like a git server.");
  const fetchOptions = server.capabilities.get("fetch")?.split(" ") ?? [];
  const filters = server.version === 2 ? fetchOptions.includes("filter") : server.capabilities.has("filter");
  const limit = filters ? blobLimit : undefined;
  if (server.version === 1 && !givesCommit(server, commit)) throw notGiven(commit, first.refusal);
  const requests = fetchRequests(commit, limit);
  const second = server.version === 2 ? await attempt(requests.v2, V2) : await attempt(requests.v1, {});
  if (second.empty) throw notGiven(commit, second.refusal ?? first.refusal);
  return { shallow: second.shallow, filtered: limit !== undefined };
}
