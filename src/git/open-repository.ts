import { isMagisError, MagisError } from "../data/error.ts";
import type { Log } from "../data/log.ts";
import { fetchHistory, fetchPack } from "./fetch-pack.ts";
import { cloneByIsomorphicGit } from "./isomorphic-clone.ts";
import { commitLinks, ObjectStore, packError } from "./object-store.ts";
import { parseAdvertisement } from "./pkt-line.ts";
import { listEntries, listPast } from "./read-tree.ts";
import { MAX_PAST, type OpenRepository, type Past, type RepositorySource } from "./repository.ts";
import { createGitRepository } from "./stored-repository.ts";
import { collectBody, createGitTransport, type GitLimits, type GitTransport, gitLimits, gitUrl } from "./transport.ts";

/** Reads a commit from a server into `store`; says whether blobs above the limit may be missing. */
type ReadCommit = (
  transport: GitTransport,
  store: ObjectStore,
  source: { url: string; commit: string },
  limits: GitLimits,
) => Promise<{ filtered: boolean }>;

const readFast: ReadCommit = (transport, store, { commit }, limits) =>
  fetchPack(transport, store, commit, limits.blobLimit);

const readByIsomorphicGit: ReadCommit = async (transport, store, source, { maxUnpackedBytes }) => {
  await cloneByIsomorphicGit(transport, store, { ...source, maxBytes: maxUnpackedBytes });
  return { filtered: false };
};

/**
 * Makes the function that fetches one commit into memory, within `limits`. When the server answers in an unknown form,
 * isomorphic-git's own clone takes over, and `log` says so. Throws what `OpenRepository` names; when the signal fires,
 * it throws RUN_CANCELLED and frees the memory.
 */
export function createOpenRepository(limits: Partial<GitLimits> = {}, log?: Pick<Log, "warn">): OpenRepository {
  const open = createOpenBy(readFast, limits);
  const openByIsomorphicGit = createOpenByIsomorphicGit(limits);
  return async (source) => {
    try {
      return await open(source);
    } catch (error) {
      if (!isMagisError(error) || error.data.unknown !== true) throw error;
      log?.warn(
        { err: error, commit: source.commit },
        "the server answered in an unknown form, so isomorphic-git clones instead",
      );
      return await openByIsomorphicGit(source).catch((second: unknown) => {
        throw isMagisError(second, "GIT_PACK_CORRUPT") ? error : second;
      });
    }
  };
}

/** As `createOpenRepository`, by isomorphic-git's clone alone: without a filter, and slower. */
export const createOpenByIsomorphicGit = (limits: Partial<GitLimits> = {}): OpenRepository =>
  createOpenBy(readByIsomorphicGit, limits);

function createOpenBy(read: ReadCommit, limits: Partial<GitLimits>): OpenRepository {
  const complete = gitLimits(limits);
  return async (source) => {
    const { commit, token, signal, blobLimit = complete.blobLimit } = source;
    const url = gitUrl(source.url);
    if (!/^[0-9a-f]{40}$/.test(commit)) {
      throw new MagisError("GIT_NOT_FOUND", `The text ${JSON.stringify(commit)} is no commit id.`, { commit });
    }
    const transport = createGitTransport({ url, token, signal, limits: complete });
    const store = new ObjectStore(complete.maxUnpackedBytes);
    try {
      const { filtered } = await read(transport, store, { url, commit }, { ...complete, blobLimit });
      const object = store.get(commit);
      if (object?.type !== "commit") throw packError(`commit ${commit} is missing`);
      const entries = listEntries(store, commitLinks(store.content(object)).tree, filtered);
      const past = () => openPast(source, complete);
      return createGitRepository({ commit, entries, store, transport, past });
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

const NO_PAST: Past = { history: [], landed: [] };

async function openPast({ url, commit, token, signal }: RepositorySource, limits: GitLimits): Promise<Past> {
  const store = new ObjectStore(HISTORY_LIMITS.maxUnpackedBytes);
  const within = { ...limits, totalTimeoutMs: Math.min(limits.totalTimeoutMs, HISTORY_LIMITS.totalTimeoutMs) };
  const transport = createGitTransport({ url: gitUrl(url), token, signal, limits: within });
  try {
    return (await fetchHistory(transport, store, commit, DEPTH)) ? listPast(store, commit) : NO_PAST;
  } catch (error) {
    const refused = isMagisError(error, "GIT_UNREACHABLE") && error.data.status !== undefined;
    if (refused || NO_HISTORY.some((code) => isMagisError(error, code))) return NO_PAST;
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
