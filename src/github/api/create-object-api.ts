import type { CommitApi, HostCommit } from "../../ports/commit-api.ts";
import { attempt } from "./attempt.ts";
import type { GithubRepository } from "./github-repository.ts";
import { isHttpFailure } from "./is-http-failure.ts";

type ObjectApi = Pick<CommitApi, "readCommit" | "readBlob" | "createBlob" | "createTree" | "createCommit">;
type TreeEntry = { path: string; mode: "100644" | "100755" | "040000" | "160000" | "120000" };

/** Git objects of one repository, read and made through GitHub. */
export function createObjectApi(repository: GithubRepository): ObjectApi {
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
