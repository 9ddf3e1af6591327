import { fetch, type HttpClient, init, type PromiseFsClient, setConfig } from "isomorphic-git";
import { MagisError } from "../../model/magis-error.ts";
import type { RepositorySource } from "../../ports/repository.ts";
import { fetchPack } from "./fetch-pack.ts";
import type { GitLimits } from "./git-limits.ts";
import { createGitTransport, type GitTransport } from "./git-transport.ts";
import { gitUrl } from "./git-url.ts";
import { createHttpPlugin } from "./http-plugin.ts";
import { createMemoryFs } from "./memory-fs.ts";
import type { ObjectStore } from "./object-store.ts";

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
