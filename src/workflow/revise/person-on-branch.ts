import type { CodeHost } from "../../ports/code-host.ts";
import type { HostPullRequest } from "../../ports/pull-request-api.ts";

/** Who, other than the app, has committed to the pull request's branch; the host's list may be behind the branch. */
export async function personOnBranch(
  host: Pick<CodeHost, "listCommits" | "readCommit" | "login">,
  { number, head }: Pick<HostPullRequest, "number" | "head">,
): Promise<string | undefined> {
  const commits = await host.listCommits(number);
  const person = commits.findLast(({ byApp }) => !byApp);
  if (person) return person.author;
  if (commits.some(({ id }) => id === head)) return undefined;
  const { author } = await host.readCommit(head);
  return author === host.login ? undefined : author;
}
