import { accountOf } from "../account-of.ts";
import type { Fields, RepositoryState, WorldState } from "../state.ts";
import { renderGitCommit } from "./render-git-commit.ts";

interface GitCommit extends Fields {
  author: { name: string; email: string };
  committer: { name: string; email: string };
  tree: { sha: string; url: string };
  parents: { sha: string; html_url: string }[];
}

/** A commit in the form of `GET commits/{ref}`, without its files. */
export async function renderCommit(state: WorldState, repo: RepositoryState, sha: string): Promise<Fields> {
  const { author, committer, tree, message, parents, verification } = (await renderGitCommit(
    state,
    repo,
    sha,
  )) as GitCommit;
  const at = `${state.url}/repos/${repo.owner}/${repo.name}`;
  return {
    sha,
    node_id: `C_${sha}`,
    url: `${at}/commits/${sha}`,
    html_url: `${state.url}/${repo.owner}/${repo.name}/commit/${sha}`,
    comments_url: `${at}/commits/${sha}/comments`,
    commit: { url: `${at}/git/commits/${sha}`, author, committer, tree, message, verification, comment_count: 0 },
    author: await accountBehind(state, author.email),
    committer: await accountBehind(state, committer.email),
    parents: parents.map((parent) => ({
      sha: parent.sha,
      html_url: parent.html_url,
      url: `${at}/commits/${parent.sha}`,
    })),
  };
}

/** The account that GitHub finds by a commit's e-mail address, or null. */
async function accountBehind(state: WorldState, email: string): Promise<Fields | null> {
  const login = /^(?:\d+\+)?(.+)@(?:users\.noreply\.github\.com|example\.test)$/.exec(email)?.[1];
  if (login === undefined) return null;
  return accountOf(state, login).catch(() => null);
}
