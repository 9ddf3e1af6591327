import type { Delivery } from "../model/delivery.ts";
import { issueOfPull } from "../model/issue-of-pull.ts";
import type { CodeHost } from "../ports/code-host.ts";
import type { HostPullRequest } from "../ports/pull-request-api.ts";

/** The issue that a command is about and its open pull request; undefined on a pull request that is none of these. */
export async function findSubject(
  { issue: number }: Delivery,
  onPullRequest: boolean,
  host: Pick<CodeHost, "readPullRequest" | "findOwnPullRequests">,
): Promise<{ readonly issue: number; readonly pull: HostPullRequest | undefined } | undefined> {
  if (!onPullRequest) {
    const pulls = await host.findOwnPullRequests("magis/", "open");
    return { issue: number, pull: pulls.find((one) => issueOfPull(one) === number) };
  }
  const pull = await host.readPullRequest(number);
  const issue = issueOfPull(pull);
  return pull.byApp && pull.open && issue !== undefined ? { issue, pull } : undefined;
}
