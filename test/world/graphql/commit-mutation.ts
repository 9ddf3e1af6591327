import { branchMoved } from "../git/branch-moved.ts";
import { writeCommit } from "../git/write-commit.ts";
import { type TreeEntry, writeTree } from "../git/write-tree.ts";
import type { Actor, WorldState } from "../state.ts";
import { graphqlFailure } from "./graphql-failure.ts";
import { requireAccess } from "./require-access.ts";

interface CommitInput {
  branch: { repositoryNameWithOwner?: string; branchName?: string };
  message: { headline: string; body?: string };
  expectedHeadOid: string;
  fileChanges?: { additions?: { path: string; contents: string }[]; deletions?: { path: string }[] };
}

/** `createCommitOnBranch`: one commit of whole files on an existing branch with the expected head. */
export function commitMutation(state: WorldState, actor: Actor) {
  return {
    createCommitOnBranch: async ({ input }: { input: CommitInput }) => {
      const repo = state.repositories.get(input.branch.repositoryNameWithOwner ?? "");
      if (repo === undefined) throw graphqlFailure("NOT_FOUND", "Could not resolve to a Repository.");
      requireAccess(actor, repo, { permissions: ["contents"], level: "write", role: "write" });
      const ref = `refs/heads/${input.branch.branchName ?? ""}`;
      const before = await repo.bare.tip(ref);
      if (before === undefined)
        throw graphqlFailure("NOT_FOUND", `A branch named '${input.branch.branchName}' does not exist.`);
      if (before !== input.expectedHeadOid)
        throw graphqlFailure(
          "STALE_DATA",
          `Expected branch to point to "${input.expectedHeadOid}" but it did not. Pull and try again.`,
        );
      const entries: TreeEntry[] = (input.fileChanges?.deletions ?? []).map(({ path }) => ({
        path,
        mode: "100644",
        sha: null,
      }));
      for (const { path, contents } of input.fileChanges?.additions ?? []) {
        const bytes = Buffer.from(contents, "base64");
        const sha = (await repo.bare.run(["hash-object", "-w", "--stdin"], { input: bytes })).toString().trim();
        entries.push({ path, mode: "100644", sha });
      }
      const tree = await writeTree(repo.bare, before, entries);
      const message = [input.message.headline, input.message.body].filter(Boolean).join("\n\n");
      const oid = await writeCommit(state, repo, actor, { tree, parents: [before], message });
      await repo.bare.git("update-ref", ref, oid, before);
      await branchMoved(state, repo, actor, { ref, before, after: oid });
      const url = `${state.url}/${repo.owner}/${repo.name}/commit/${oid}`;
      return {
        commit: { __typename: "Commit", id: `C_${oid}`, oid, url, message },
        ref: { id: `REF_${ref}`, name: input.branch.branchName },
      };
    },
  };
}
