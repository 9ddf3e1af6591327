import { createHash } from "node:crypto";
import { fetch, type GitHttpResponse, type HttpClient, init, type PromiseFsClient, setConfig } from "isomorphic-git";
import { MagisError } from "../../model/error.ts";
import type { RepositorySource } from "../../ports/repository.ts";
import { fetchPack } from "./fetch-pack.ts";
import { createMemoryFs } from "./memory-fs.ts";
import type { ObjectStore } from "./object-store.ts";
import { FLUSH, pktLine } from "./pkt-line.ts";
import { collectBody, createGitTransport, type GitLimits, type GitTransport, gitUrl } from "./transport.ts";

/** A git folder in memory on which all of isomorphic-git works: pass `fs`, `gitdir`, and for the network `http`. */
export interface Gitdir {
  readonly fs: PromiseFsClient;
  readonly gitdir: string;
  readonly http: HttpClient;
  readonly transport: GitTransport;
  /** true when blobs over the limit may be missing */
  readonly filtered: boolean;
}

const GITDIR = "/repository.git";

/** The branch under which isomorphic-git knows the commit; no server sees it. */
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

export interface HttpPluginOptions {
  readonly url: string;
  /** the one commit that can be fetched */
  readonly commit: string;
  /** the branch name under which isomorphic-git is shown the commit */
  readonly branch: string;
  readonly transport: GitTransport;
  /** fetches the commit into the object store; gives the ids of shallow commits */
  readonly fetch: () => Promise<readonly string[]>;
}

const CAPABILITIES = "side-band-64k ofs-delta shallow agent=git/magis";

/** A pack of no objects: isomorphic-git leaves it alone, the objects are in the store already. */
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
 * The `http` that isomorphic-git is handed. Its request for refs is answered from here: the commit is known, and
 * a server may have tens of thousands of refs. Its request for the pack runs `fetch`, which fills the object store,
 * and is answered with an empty pack, so that isomorphic-git's own pass over it is skipped.
 * Everything else goes to the server.
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
      const sent = method === "POST" && body ? { body: await collectBody(body, Number.POSITIVE_INFINITY) } : {};
      const response = await transport({ method: method === "POST" ? "POST" : "GET", path, headers, ...sent });
      const type = String(response.headers["content-type"] ?? "");
      const given = { "content-type": type };
      return { url, method, statusCode: 200, statusMessage: "OK", headers: given, body: response.body };
    },
  };
}
