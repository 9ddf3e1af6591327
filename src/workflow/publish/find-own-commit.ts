import type { CodeHost } from "../../ports/code-host.ts";
import type { HostPullRequest } from "../../ports/pull-request-api.ts";

/**
 * The app's commit of this very tree on the head that was read, when it is on the branch already: an earlier try of the
 * same run was stopped right after it, and somebody has pushed on top of it since.
 */
export async function findOwnCommit(
  host: Pick<CodeHost, "listCommits" | "readCommit">,
  { number, head }: Pick<HostPullRequest, "number" | "head">,
  tree: string,
): Promise<string | undefined> {
  const commits = await host.listCommits(number);
  for (const { id } of commits.filter(({ byApp }) => byApp).reverse()) {
    if (id === head) return undefined;
    const commit = await host.readCommit(id);
    if (commit.tree === tree && commit.parents.length === 1 && commit.parents[0] === head) return id;
  }
  return undefined;
}
