import type { HostReview } from "../../ports/pull-request-api.ts";
import { attempt } from "./attempt.ts";
import type { GithubRepository } from "./github-repository.ts";

/** GitHub's words for a submitted review; one that is still being written (PENDING) is none. */
const STATES: Readonly<Record<string, HostReview["state"]>> = {
  APPROVED: "approved",
  CHANGES_REQUESTED: "changes-requested",
  COMMENTED: "commented",
  DISMISSED: "dismissed",
};

/** The submitted reviews of a pull request, oldest first. */
export function listReviews(repository: GithubRepository, pullRequest: number): Promise<readonly HostReview[]> {
  const { client, owner, repo } = repository;
  return attempt(`list the reviews of #${pullRequest}`, async () => {
    const query = { owner, repo, pull_number: pullRequest, per_page: 100 };
    const rows = await client.paginate(client.rest.pulls.listReviews, query);
    return rows.flatMap((row) => {
      const state = STATES[row.state];
      if (state === undefined) return [];
      const review: HostReview = {
        id: row.id,
        author: row.user?.login ?? "ghost",
        byBot: row.user?.type === "Bot",
        state,
        body: row.body ?? "",
        submittedAt: row.submitted_at ?? "",
      };
      return [review];
    });
  });
}
