import { fetch, type HttpClient, init, readObject, setConfig } from "isomorphic-git";
import { isMagisError, MagisError } from "../data/error.ts";
import { createMemoryFs } from "./memory-fs.ts";
import { commitLinks, ObjectStore, type ObjectType, packError, tooLarge } from "./object-store.ts";
import { FOLDER_MODE, parseTree } from "./read-tree.ts";
import { collectBody, type GitTransport } from "./transport.ts";

const GITDIR = "/clone.git";

const SUBMODULE_MODE = "160000";

/**
 * Fetches one commit without its history into `store` by isomorphic-git's own clone: its protocol, its reader of packs.
 * Slower than `fetchPack` and without a filter: every blob comes, and nothing bounds what it inflates on the way. It
 * is the oracle of the tests, and takes over when `fetchPack` meets something that it does not know.
 * Throws GIT_NOT_FOUND, GIT_PACK_CORRUPT, GIT_PACK_TOO_LARGE, and what `GitTransport` throws.
 */
export async function cloneByIsomorphicGit(
  transport: GitTransport,
  store: ObjectStore,
  { url, commit, maxBytes }: { url: string; commit: string; maxBytes: number },
): Promise<void> {
  const fs = createMemoryFs(new ObjectStore(maxBytes), GITDIR);
  const at = { fs, gitdir: GITDIR, cache: {} };
  const http = createHttp(transport, url, maxBytes);
  try {
    await init({ ...at, bare: true });
    await setConfig({ ...at, path: "remote.origin.url", value: url });
    await setConfig({ ...at, path: "remote.origin.fetch", value: "+refs/heads/*:refs/remotes/origin/*" });
    await fetch({ ...at, http, ref: commit, remoteRef: commit, depth: 1, singleBranch: true, tags: false });
    await eachObject(commit, async (oid) => {
      const { type, object } = await readObject({ ...at, oid, format: "content" });
      const content = Buffer.from(object as Uint8Array);
      store.keep(type as ObjectType, content);
      return content;
    });
  } catch (error) {
    throw isMagisError(error) ? error : asMagisError(error, commit);
  }
}

/** Reads the commit and all that it holds, each object once. */
async function eachObject(commit: string, read: (id: string) => Promise<Buffer>): Promise<void> {
  const seen = new Set<string>();
  const trees = [commitLinks(await read(commit)).tree];
  for (let tree = trees.pop(); tree !== undefined; tree = trees.pop()) {
    for (const { mode, id } of parseTree(await read(tree))) {
      if (mode === SUBMODULE_MODE || seen.has(id)) continue;
      seen.add(id);
      if (mode === FOLDER_MODE) trees.push(id);
      else await read(id);
    }
  }
}

/** isomorphic-git's requests over our transport, with its token and its limits. */
function createHttp(transport: GitTransport, base: string, maxBytes: number): HttpClient {
  return {
    async request({ url, method = "GET", headers = {}, body }) {
      const sent = method === "POST" && body ? await collectBody(body, Number.POSITIVE_INFINITY) : undefined;
      const path = url.slice(base.length);
      const answer = await transport({ method: method === "POST" ? "POST" : "GET", path, headers, body: sent });
      const given = { "content-type": String(answer.headers["content-type"] ?? "") };
      return { url, method, statusCode: 200, statusMessage: "OK", headers: given, body: within(answer.body, maxBytes) };
    },
  };
}

async function* within(body: AsyncGenerator<Buffer>, limit: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > limit) {
      throw tooLarge(limit);
    }
    yield chunk;
  }
}

/** isomorphic-git tells its errors apart by their `code`. */
function asMagisError(error: unknown, commit: string): MagisError {
  const { code = "", message = "" } = (error ?? {}) as { code?: string; message?: string };
  if (code === "NotFoundError" || /not our ref|unadvertised/.test(message)) {
    return new MagisError("GIT_NOT_FOUND", `The git server does not give commit ${commit}.`, { commit }, error);
  }
  return packError("isomorphic-git cannot read it either", error);
}
