import type { HostPullRequest, PullRequestDesk } from "../../ports/code-host/pull-request-desk.ts";
import { attempt } from "./attempt.ts";
import { createReviewDesk } from "./create-review-desk.ts";
import { fitBody } from "./fit-body.ts";
import { fitTitle } from "./fit-title.ts";
import type { GithubRepository } from "./github-repository.ts";
import { openPullRequest } from "./open-pull-request.ts";
import { toHostPullRequest } from "./to-host-pull-request.ts";

/** The pull requests of one repository on GitHub; errors as the port says. */
export function createPullRequestDesk(repository: GithubRepository): PullRequestDesk {
  const { client, owner, repo } = repository;
  const { pulls } = client.rest;

  return {
    ...createReviewDesk(repository),

    findOwnPullRequests: (branchPrefix, state) =>
      attempt("list the app's pull requests", async () => {
        const found: HostPullRequest[] = [];
        const query = { owner, repo, state, sort: "created", direction: "desc", per_page: 100 } as const;
        for await (const { data } of client.paginate.iterator(pulls.list, query)) {
          const fromHere = data.filter((pull) => pull.head.repo?.id === pull.base.repo.id);
          found.push(...fromHere.map((pull) => toHostPullRequest(repository, pull)));
        }
        return found.filter((pull) => pull.byApp && pull.branch.startsWith(branchPrefix));
      }),

    openPullRequest: (pullRequest) => openPullRequest(repository, pullRequest),

    updatePullRequest: (number, change) =>
      attempt(`edit pull request #${number}`, async () => {
        await pulls.update({
          owner,
          repo,
          pull_number: number,
          ...(change.title === undefined ? {} : { title: fitTitle(change.title) }),
          ...(change.body === undefined ? {} : { body: fitBody(change.body) }),
        });
      }),
  };
}
