import type { OpenRepository } from "../../ports/repository.ts";
import { commitLinks } from "./commit-links.ts";
import { type GitLimits, gitLimits } from "./git-limits.ts";
import { createGitRepository } from "./git-repository.ts";
import { listEntries } from "./list-entries.ts";
import { ObjectStore } from "./object-store.ts";
import { openGitdir } from "./open-gitdir.ts";
import { packError } from "./pack-error.ts";

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
