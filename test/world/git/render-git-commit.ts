import type { Fields, RepositoryState, WorldState } from "../state.ts";
import { readCommit } from "./read-commit.ts";

/** A commit in the form of `GET git/commits/{sha}`. */
export async function renderGitCommit(state: WorldState, repo: RepositoryState, sha: string): Promise<Fields> {
  const { tree, parents, author, committer, message, signature } = await readCommit(repo.bare, sha);
  const at = `${state.url}/repos/${repo.owner}/${repo.name}`;
  const page = `${state.url}/${repo.owner}/${repo.name}/commit`;
  const verified = repo.signed.has(sha);
  const unverified = signature === undefined ? "unsigned" : "unknown_key";
  const verification = {
    verified,
    reason: verified ? "valid" : unverified,
    signature: signature ?? null,
    payload: null,
    verified_at: verified ? committer.date : null,
  };
  return {
    sha,
    node_id: `C_${sha}`,
    url: `${at}/git/commits/${sha}`,
    html_url: `${page}/${sha}`,
    author,
    committer,
    tree: { sha: tree, url: `${at}/git/trees/${tree}` },
    message,
    parents: parents.map((parent) => ({
      sha: parent,
      url: `${at}/git/commits/${parent}`,
      html_url: `${page}/${parent}`,
    })),
    verification,
  };
}
