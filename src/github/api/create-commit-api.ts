import { isMagisError, MagisError } from "../../model/magis-error.ts";
import type { CommitApi } from "../../ports/commit-api.ts";
import { attempt } from "./attempt.ts";
import { changedPaths } from "./changed-paths.ts";
import { createObjectApi } from "./create-object-api.ts";
import type { GithubRepository } from "./github-repository.ts";
import { isHttpFailure } from "./is-http-failure.ts";
import { readFile } from "./read-file.ts";

/** Branches and git objects of one repository on GitHub; errors as the port says. */
export function createCommitApi(repository: GithubRepository): CommitApi {
  const { client, owner, repo } = repository;
  const { git, repos } = client.rest;

  const branchTip = (branch: string): Promise<string | undefined> =>
    attempt(`read branch ${branch}`, async () => {
      try {
        return (await git.getRef({ owner, repo, ref: `heads/${branch}` })).data.object.sha;
      } catch (error) {
        // 409 is how GitHub says that a repository has no commits at all.
        if (isHttpFailure(error) && [404, 409].includes(error.status)) return undefined;
        throw error;
      }
    });

  return {
    ...createObjectApi(repository),
    branchTip,
    changedPaths: (base, head) => changedPaths(repository, base, head),
    readFile: (name, path) => readFile(repository, name, path),

    defaultBranch: async () => {
      const { data } = await attempt("read the repository", () => repos.get({ owner, repo }));
      const name = data.default_branch;
      const commit = await branchTip(name);
      if (commit !== undefined) return { name, commit };
      throw new MagisError("HOST_NOT_FOUND", `The repository has no commits on its default branch ${name} yet.`);
    },

    createBranch: async (branch, commit) => {
      try {
        await attempt(`create branch ${branch}`, () =>
          git.createRef({ owner, repo, ref: `refs/heads/${branch}`, sha: commit }),
        );
      } catch (error) {
        if (!isMagisError(error, "HOST_REFUSED") || (await branchTip(branch)) !== commit) throw error;
      }
    },

    advanceBranch: (branch, commit) =>
      attempt(`advance branch ${branch}`, async () => {
        await git.updateRef({ owner, repo, ref: `heads/${branch}`, sha: commit, force: false });
      }),

    deleteRef: (ref) =>
      attempt(`delete ${ref}`, async () => {
        try {
          await git.deleteRef({ owner, repo, ref });
        } catch (error) {
          const status = isHttpFailure(error) ? error.status : 0;
          const absent = status === 404 || (status === 422 && /does not exist/i.test(String(error)));
          if (!absent) throw error;
        }
      }),
  };
}
