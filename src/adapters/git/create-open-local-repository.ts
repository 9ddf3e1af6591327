import { init } from "isomorphic-git";
import { isMagisError, MagisError } from "../../model/magis-error.ts";
import type { OpenRepository } from "../../ports/repository.ts";
import { commitLinks } from "./commit-links.ts";
import { createInflater } from "./create-inflater.ts";
import { type GitLimits, gitLimits } from "./git-limits.ts";
import { createGitRepository } from "./git-repository.ts";
import { listEntries } from "./list-entries.ts";
import { createMemoryFs } from "./memory-fs.ts";
import { ObjectStore } from "./object-store.ts";
import { packError } from "./pack-error.ts";
import { PackReader } from "./pack-reader.ts";
import { startGit } from "./start-git.ts";

const GITDIR = "/repository.git";

/**
 * Makes the function that reads one commit of a repository on this machine into memory: `url` is its directory. The
 * installed git packs the commit as it would for a clone of depth 1; nothing of the repository is changed, and nothing
 * can be pushed to it. Throws GIT_NOT_FOUND for a commit of which objects are missing, else what `OpenRepository` names.
 */
export function createOpenLocalRepository(
  environment: Readonly<Record<string, string | undefined>>,
  limits: Partial<GitLimits> = {},
): OpenRepository {
  const { maxUnpackedBytes } = gitLimits(limits);
  return async ({ url: directory, commit, signal = new AbortController().signal }) => {
    const store = new ObjectStore(maxUnpackedBytes);
    try {
      const args = ["pack-objects", "--stdout", "--revs", "-q", "--missing=allow-any"];
      const reader = new PackReader(store, createInflater());
      const input = `--shallow ${commit}\n${commit}\n`;
      const call = { directory, args, input, environment, signal };
      const { code, words } = await startGit(call, (bytes) => reader.write(bytes));
      if (code !== 0) throw notFound(`git could not read commit ${commit} in ${directory}: ${words}`);
      reader.end();
      const entries = entriesOf(store, commit, directory);
      const fs = createMemoryFs(store, GITDIR);
      await init({ fs, gitdir: GITDIR, bare: true, defaultBranch: "base" });
      return createGitRepository({ commit, entries, store, fs, gitdir: GITDIR, transport: refusePush });
    } catch (error) {
      store.clear();
      throw error;
    }
  };
}

/** A blob may be missing in a partial clone only, and there git would have to fetch it first. */
function entriesOf(store: ObjectStore, commit: string, directory: string) {
  const object = store.get(commit);
  if (object?.type !== "commit") throw packError(`commit ${commit} is missing`);
  const lacks = `The repository in ${directory} lacks files of commit ${commit}: it is a partial or damaged clone. Check the commit out, or clone it whole.`;
  try {
    const entries = listEntries(store, commitLinks(store.content(object)).tree, true);
    const isWhole = [...entries.values()].every(({ size, mode }) => size !== undefined || mode === "160000");
    if (isWhole) return entries;
  } catch (error) {
    if (!isMagisError(error, "GIT_PACK_CORRUPT")) throw error;
  }
  throw notFound(lacks);
}

const notFound = (message: string) => new MagisError("GIT_NOT_FOUND", message);

async function refusePush(): Promise<never> {
  throw new MagisError("GIT_PUSH_REFUSED", "Nothing is pushed to a local repository.");
}
