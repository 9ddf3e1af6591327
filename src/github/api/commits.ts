import { isMagisError, MagisError } from "../../model/error.ts";
import type { CommitApi, HostCommit } from "../../ports/code-host.ts";
import { changedPaths, isAncestor, readFile } from "./contents.ts";
import { attempt, isHttpFailure } from "./errors.ts";
import type { GithubRepository } from "./repository.ts";

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
    isAncestor: (commit, head) => isAncestor(repository, commit, head),
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

type ObjectApi = Pick<CommitApi, "readCommit" | "readBlob" | "createBlob" | "createTree" | "createCommit">;

type TreeEntry = { path: string; mode: "100644" | "100755" | "040000" | "160000" | "120000" };

/** Git objects of one repository, read and made through GitHub. */
function createObjectApi(repository: GithubRepository): ObjectApi {
  const { client, owner, repo } = repository;
  const { git } = client.rest;

  return {
    readCommit: (commit) =>
      attempt(`read commit ${commit}`, async () =>
        toHostCommit((await git.getCommit({ owner, repo, commit_sha: commit })).data),
      ),

    readBlob: (blob) =>
      attempt(`read blob ${blob}`, async () => {
        try {
          const { data } = await git.getBlob({ owner, repo, file_sha: blob });
          return new Uint8Array(Buffer.from(data.content, data.encoding === "base64" ? "base64" : "utf8"));
        } catch (error) {
          if (isHttpFailure(error) && error.status === 404) return undefined;
          throw error;
        }
      }),

    createBlob: (content) =>
      attempt("create a blob", async () => {
        const base64 = Buffer.from(content).toString("base64");
        return (await git.createBlob({ owner, repo, content: base64, encoding: "base64" })).data.sha;
      }),

    createTree: (base, entries) =>
      attempt("create a tree", async () => {
        const tree = entries.map(({ path, mode, blob }) => ({
          path,
          mode: mode as TreeEntry["mode"],
          type: mode === "160000" ? ("commit" as const) : ("blob" as const),
          sha: blob,
        }));
        return (await git.createTree({ owner, repo, base_tree: base, tree })).data.sha;
      }),

    createCommit: (message, tree, parents) =>
      attempt("create a commit", async () =>
        toHostCommit((await git.createCommit({ owner, repo, message, tree, parents: [...parents] })).data),
      ),
  };
}

function toHostCommit(commit: {
  readonly sha: string;
  readonly tree: { readonly sha: string };
  readonly parents: readonly { readonly sha: string }[];
  readonly author: { readonly name: string };
  readonly verification?: { readonly verified: boolean };
}): HostCommit {
  return {
    id: commit.sha,
    tree: commit.tree.sha,
    parents: commit.parents.map((parent) => parent.sha),
    author: commit.author.name,
    verified: commit.verification?.verified ?? false,
  };
}
