import { MagisError } from "../../model/error.ts";
import type { OpenRepository, RepositorySource } from "../../ports/repository.ts";
import { commitLinks, ObjectStore, packError } from "./object-store.ts";
import { openGitdir } from "./open-gitdir.ts";
import { parseAdvertisement } from "./pkt-line.ts";
import { listEntries } from "./read-tree.ts";
import { createGitRepository } from "./repository.ts";
import { collectBody, createGitTransport, type GitLimits, gitLimits, gitUrl } from "./transport.ts";

/**
 * Makes the function that fetches one commit into memory, within `limits`.
 * Its errors are those `OpenRepository` names, and RUN_CANCELLED when the signal fires; memory is let go then.
 */
export function createOpenRepository(limits: Partial<GitLimits> = {}): OpenRepository {
  const complete = gitLimits(limits);
  return async (source) => {
    const store = new ObjectStore(complete.maxUnpackedBytes);
    const { commit } = source;
    try {
      const { fs, gitdir, transport, filtered } = await openGitdir(source, complete, store);
      const object = store.get(commit);
      if (object?.type !== "commit") throw packError(`commit ${commit} is missing`);
      const entries = listEntries(store, commitLinks(store.content(object)).tree, filtered);
      return createGitRepository({ commit, entries, store, fs, gitdir, transport });
    } catch (error) {
      store.clear();
      throw error;
    }
  };
}

/**
 * The id of a commit of the repository at `url`, over http or https: that of the branch or tag `revision`, or of HEAD. A
 * full commit id is taken as it is; whether the server gives it shows when it is fetched.
 * Throws GIT_NOT_FOUND when there is none, and what `OpenRepository` throws of the connection.
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
