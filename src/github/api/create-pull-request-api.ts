import type { HostPullRequest, PullRequestApi } from "../../ports/pull-request-api.ts";
import { attempt } from "./attempt.ts";
import { createReviewApi } from "./create-review-api.ts";
import { fitBody } from "./fit-body.ts";
import { fitTitle } from "./fit-title.ts";
import type { GithubRepository } from "./github-repository.ts";
import { listCommits } from "./list-commits.ts";
import { openPullRequest } from "./open-pull-request.ts";
import { toHostPullRequest } from "./to-host-pull-request.ts";

const READY = `mutation ($pull: ID!) {
  markPullRequestReadyForReview(input: { pullRequestId: $pull }) { pullRequest { isDraft } }
}`;

/** The pull requests of one repository on GitHub; errors as the port says. */
export function createPullRequestApi(repository: GithubRepository): PullRequestApi {
  const { client, owner, repo } = repository;
  const { pulls } = client.rest;

  return {
    ...createReviewApi(repository),

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

    readPullRequest: (number) =>
      attempt(`read pull request #${number}`, async () => {
        const { data } = await pulls.get({ owner, repo, pull_number: number });
        return toHostPullRequest(repository, data as Parameters<typeof toHostPullRequest>[1]);
      }),

    listCommits: (number) => listCommits(repository, number),

    markReady: (number) =>
      attempt(`take pull request #${number} out of draft`, async () => {
        const { data } = await pulls.get({ owner, repo, pull_number: number });
        if (data.draft) await client.graphql(READY, { pull: data.node_id });
      }),

    openPullRequest: (pullRequest) => openPullRequest(repository, pullRequest),

    updatePullRequest: (number, change) =>
      attempt(`edit pull request #${number}`, async () => {
        await pulls.update({
          owner,
          repo,
          pull_number: number,
          ...(change.state && { state: change.state }),
          ...(change.title === undefined ? {} : { title: fitTitle(change.title) }),
          ...(change.body === undefined ? {} : { body: fitBody(change.body) }),
        });
      }),
  };
}
