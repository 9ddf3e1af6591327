import type { Fields, RepositoryState, WorldState } from "../state.ts";

/** A commit in the form of `GET git/commits/{sha}`. */
export async function renderGitCommit(state: WorldState, repo: RepositoryState, sha: string): Promise<Fields> {
  const format = "%T%n%P%n%an%n%ae%n%aI%n%cn%n%ce%n%cI%n%B";
  const lines = (await repo.bare.fixed("show", "-s", `--format=${format}`, sha)).split("\n");
  const [tree, parents = "", name, email, date, by, byEmail, when, ...message] = lines;
  const at = `${state.url}/repos/${repo.owner}/${repo.name}`;
  const page = `${state.url}/${repo.owner}/${repo.name}/commit`;
  const verified = repo.signed.has(sha);
  const signature = /^gpgsig ((?:.*\n)(?: .*\n)*)/m.exec(await repo.bare.fixed("cat-file", "commit", sha))?.[1];
  const unverified = signature === undefined ? "unsigned" : "unknown_key";
  const verification = {
    verified,
    reason: verified ? "valid" : unverified,
    signature: signature === undefined ? null : signature.replaceAll("\n ", "\n").trimEnd(),
    payload: null,
    verified_at: verified ? when : null,
  };
  return {
    sha,
    node_id: `C_${sha}`,
    url: `${at}/git/commits/${sha}`,
    html_url: `${page}/${sha}`,
    author: { name, email, date },
    committer: { name: by, email: byEmail, date: when },
    tree: { sha: tree, url: `${at}/git/trees/${tree}` },
    message: message.join("\n").trimEnd(),
    parents: parents
      .split(" ")
      .filter(Boolean)
      .map((parent) => ({
        sha: parent,
        url: `${at}/git/commits/${parent}`,
        html_url: `${page}/${parent}`,
      })),
    verification,
  };
}
