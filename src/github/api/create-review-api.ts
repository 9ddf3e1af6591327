import type { PullRequestApi } from "../../ports/pull-request-api.ts";
import { attempt } from "./attempt.ts";
import { fitBody } from "./fit-body.ts";
import type { GithubRepository } from "./github-repository.ts";
import { isOwn } from "./is-own.ts";
import { listReviews } from "./list-reviews.ts";
import { listThreads } from "./list-threads.ts";
import { replyToThread } from "./reply-to-thread.ts";

type ReviewApi = Pick<
  PullRequestApi,
  | "findOwnReview"
  | "listReviews"
  | "createReview"
  | "createFileComment"
  | "listThreads"
  | "replyToThread"
  | "resolveThread"
>;

const RESOLVE = `mutation ($thread: ID!) {
  resolveReviewThread(input: { threadId: $thread }) { thread { id isResolved } }
}`;

/** Reviews of pull requests and their threads, on GitHub. */
export function createReviewApi(repository: GithubRepository): ReviewApi {
  const { client, owner, repo } = repository;
  const { pulls } = client.rest;

  return {
    findOwnReview: (pullRequest, marker) =>
      attempt(`look for the app's review of #${pullRequest}`, async () => {
        const query = { owner, repo, pull_number: pullRequest, per_page: 100 };
        for await (const { data } of client.paginate.iterator(pulls.listReviews, query)) {
          const found = data.find((review) => review.body?.includes(marker) && isOwn(repository, review));
          if (found) return { id: found.id };
        }
        return undefined;
      }),

    listReviews: (pullRequest) => listReviews(repository, pullRequest),

    createReview: (pullRequest, head, body, comments) =>
      attempt(`review pull request #${pullRequest}`, async () => {
        await pulls.createReview({
          owner,
          repo,
          pull_number: pullRequest,
          commit_id: head,
          event: "COMMENT",
          body: fitBody(body),
          comments: comments.map(({ path, line, side, body }) => ({ path, line, side, body: fitBody(body) })),
        });
      }),

    createFileComment: (pullRequest, head, path, body) =>
      attempt(`comment on a file of pull request #${pullRequest}`, async () => {
        const target = { owner, repo, pull_number: pullRequest, commit_id: head, path };
        await pulls.createReviewComment({ ...target, subject_type: "file", body: fitBody(body) });
      }),

    listThreads: (pullRequest) => listThreads(repository, pullRequest),

    replyToThread: (pullRequest, thread, body) => replyToThread(repository, pullRequest, thread, body),

    resolveThread: (thread) =>
      attempt("resolve a review thread", async () => {
        await client.graphql(RESOLVE, { thread: thread.id });
      }),
  };
}
