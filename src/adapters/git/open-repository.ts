import { createHash } from "node:crypto";
import { fetch, type GitHttpResponse, type HttpClient, init, type PromiseFsClient, setConfig } from "isomorphic-git";
import { isMagisError, MagisError } from "../../model/error.ts";
import { MAX_PAST, type OpenRepository, type RepositorySource } from "../../ports/repository.ts";
import { fetchHistory, fetchPack } from "./fetch-pack.ts";
import { createMemoryFs } from "./memory-fs.ts";
import { commitLinks, ObjectStore, packError } from "./object-store.ts";
import { FLUSH, parseAdvertisement, pktLine } from "./pkt-line.ts";
import { listEntries, listHistory } from "./read-tree.ts";
import { createGitRepository } from "./repository.ts";
import { collectBody, createGitTransport, type GitLimits, type GitTransport, gitLimits, gitUrl } from "./transport.ts";

/**
 * Fetches one commit into memory, within `limits`. Throws what `OpenRepository` names, and RUN_CANCELLED when the
 * signal fires.
 */
export function createOpenRepository(limits: Partial<GitLimits> = {}): OpenRepository {
  const complete = gitLimits(limits);
  return async (source) => {
    const store = new ObjectStore(complete.maxUnpackedBytes);
    const { commit } = source;
    try {
      const { fs, gitdir, transport, filtered } = await openGitdir(source, complete, store);
      const history = () => openHistory(source, complete);
      const object = store.get(commit);
      if (object?.type !== "commit") throw packError(`commit ${commit} is missing`);
      const entries = listEntries(store, commitLinks(store.content(object)).tree, filtered);
      return createGitRepository({ commit, entries, store, fs, gitdir, transport, history });
    } catch (error) {
      store.clear();
      throw error;
    }
  };
}

/** Generations of commits to request: a little more than `MAX_PAST`, for merges. */
const DEPTH = MAX_PAST + 10;

/** Past commits only help: do not wait longer for them, nor take more inflated bytes. */
const HISTORY_LIMITS = { totalTimeoutMs: 30_000, maxUnpackedBytes: 128 << 20 };

const NO_HISTORY = ["GIT_TIMEOUT", "GIT_NOT_FOUND", "GIT_PACK_CORRUPT", "GIT_PACK_TOO_LARGE"] as const;

async function openHistory({ url, commit, token, signal }: RepositorySource, limits: GitLimits) {
  const store = new ObjectStore(HISTORY_LIMITS.maxUnpackedBytes);
  const within = { ...limits, totalTimeoutMs: Math.min(limits.totalTimeoutMs, HISTORY_LIMITS.totalTimeoutMs) };
  const transport = createGitTransport({ url: gitUrl(url), token, signal, limits: within });
  try {
    return (await fetchHistory(transport, store, commit, DEPTH)) ? listHistory(store, commit) : [];
  } catch (error) {
    const refused = isMagisError(error, "GIT_UNREACHABLE") && error.data.status !== undefined;
    if (refused || NO_HISTORY.some((code) => isMagisError(error, code))) return [];
    throw error;
  } finally {
    store.clear();
  }
}

/**
 * The commit id of the branch or tag `revision`, or of HEAD, of the repository at `url` (http or https). A full commit
 * id is taken as it is, unchecked.
 * Throws GIT_NOT_FOUND when there is none, and connection errors as `OpenRepository`.
 */
export async function findRemoteCommit(
  { url: address, token, signal }: Omit<RepositorySource, "commit">,
  revision: string | undefined,
  limits: Partial<GitLimits> = {},
): Promise<string> {
  const url = gitUrl(address);
  if (revision !== undefined && /^[0-9a-f]{40}$/.test(revision)) return revision;
  const transport = createGitTransport({ url, token, signal, limits: gitLimits(limits) });
  const { body } = await transport({ method: "GET", path: "/info/refs?service=git-upload-pack" });
  const server = parseAdvertisement(await collectBody(body));
  if (!server) throw new MagisError("GIT_UNREACHABLE", "The server does not answer like a git server.");
  const names = revision === undefined ? ["HEAD"] : [revision, `refs/heads/${revision}`, `refs/tags/${revision}`];
  const found = names.map((name) => server.peeled.get(name) ?? server.refs.get(name)).find((id) => id !== undefined);
  if (found !== undefined) return found;
  const what = revision === undefined ? "has no commits yet" : `has no branch or tag ${revision}`;
  throw new MagisError("GIT_NOT_FOUND", `The repository at ${url} ${what}.`);
}

/** A git folder in memory for isomorphic-git: pass `fs`, `gitdir`, and `http` for the network. */
export interface Gitdir {
  readonly fs: PromiseFsClient;
  readonly gitdir: string;
  readonly http: HttpClient;
  readonly transport: GitTransport;
  /** true when blobs over the limit may be missing */
  readonly filtered: boolean;
}

const GITDIR = "/repository.git";

/** The commit's branch for isomorphic-git; no server sees it. */
const BRANCH = "base";

/** Fetches the commit, depth 1, into `store`, through isomorphic-git. Errors as `OpenRepository`. */
export async function openGitdir(source: RepositorySource, limits: GitLimits, store: ObjectStore): Promise<Gitdir> {
  const { commit, token, signal } = source;
  const url = gitUrl(source.url);
  if (!/^[0-9a-f]{40}$/.test(commit)) {
    throw new MagisError("GIT_NOT_FOUND", `The text ${JSON.stringify(commit)} is no commit id.`, { commit });
  }
  const fs = createMemoryFs(store, GITDIR);
  const transport = createGitTransport({ url, token, signal, limits });
  let filtered = false;
  const http = createHttpPlugin({
    url,
    commit,
    branch: BRANCH,
    transport,
    async fetch() {
      const pack = await fetchPack(transport, store, commit, limits.blobLimit);
      filtered = pack.filtered;
      return pack.shallow;
    },
  });
  const at = { fs, gitdir: GITDIR };
  await init({ ...at, bare: true, defaultBranch: BRANCH });
  await setConfig({ ...at, path: "remote.origin.url", value: url });
  await setConfig({ ...at, path: "remote.origin.fetch", value: "+refs/heads/*:refs/remotes/origin/*" });
  await fetch({ ...at, http, url, remote: "origin", ref: BRANCH, singleBranch: true, depth: 1, tags: false });
  return { ...at, http, transport, filtered };
}

interface HttpPluginOptions {
  readonly url: string;
  /** the one commit that can be fetched */
  readonly commit: string;
  /** the commit's branch as shown to isomorphic-git */
  readonly branch: string;
  readonly transport: GitTransport;
  /** fetches the commit into the object store; gives the ids of shallow commits */
  readonly fetch: () => Promise<readonly string[]>;
}

const CAPABILITIES = "side-band-64k ofs-delta shallow agent=git/magis";

/** An empty pack, since the objects are in the store already. */
function emptyPack(): Buffer {
  const head = Buffer.from([0x50, 0x41, 0x43, 0x4b, 0, 0, 0, 2, 0, 0, 0, 0]);
  return Buffer.concat([head, createHash("sha1").update(head).digest()]);
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function answer(url: string, method: string, type: string, parts: readonly Buffer[]): GitHttpResponse {
  const headers = { "content-type": `application/x-git-upload-pack-${type}` };
  return { url, method, statusCode: 200, statusMessage: "OK", headers, body: once(Buffer.concat(parts)) };
}

/**
 * The `http` for isomorphic-git. Requests for refs are answered here: the commit is known, and a server may have tens
 * of thousands of refs. A request for the pack runs `fetch`, which fills the object store, and gets an empty pack, so
 * that isomorphic-git skips its own pass. Everything else goes to the server.
 */
function createHttpPlugin(options: HttpPluginOptions): HttpClient {
  const { commit, branch, transport, fetch } = options;
  const base = options.url.replace(/\/+$/, "");
  return {
    async request({ url, method = "GET", headers = {}, body }) {
      const path = url.slice(base.length);
      if (path === "/info/refs?service=git-upload-pack") {
        const ref = pktLine(`${commit} refs/heads/${branch}\0${CAPABILITIES} symref=HEAD:refs/heads/${branch}\n`);
        return answer(url, method, "advertisement", [pktLine("# service=git-upload-pack\n"), FLUSH, ref, FLUSH]);
      }
      if (path === "/git-upload-pack") {
        const shallow = (await fetch()).map((id) => pktLine(`shallow ${id}\n`));
        const pack = pktLine(Buffer.concat([Buffer.from([1]), emptyPack()]));
        return answer(url, method, "result", [...shallow, FLUSH, pktLine("NAK\n"), pack, FLUSH]);
      }
      const response = await transport({
        method: method === "POST" ? "POST" : "GET",
        path,
        headers,
        body: method === "POST" && body ? await collectBody(body, Number.POSITIVE_INFINITY) : undefined,
      });
      const type = String(response.headers["content-type"] ?? "");
      const given = { "content-type": type };
      return { url, method, statusCode: 200, statusMessage: "OK", headers: given, body: response.body };
    },
  };
}
