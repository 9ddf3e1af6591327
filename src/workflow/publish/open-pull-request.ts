import type { PullRequestLink } from "../../model/run-result.ts";
import type { NewPullRequest, PullRequestApi } from "../../ports/pull-request-api.ts";

/** Opens the run's pull request, or finds the one that an earlier try of the same run opened (by its marker). */
export async function openPullRequest({
  host,
  marker,
  ...content
}: NewPullRequest & { readonly host: PullRequestApi; readonly marker: string }): Promise<PullRequestLink> {
  const known = (await host.findOwnPullRequests(content.branch, "all")).find(
    ({ branch, body }) => branch === content.branch && body.includes(marker),
  );
  const { number, url } = known ?? (await host.openPullRequest(content));
  return { number, url };
}
