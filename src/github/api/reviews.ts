import { isHostRefusal, MagisError } from "../../model/error.ts";
import type { HostReview, PullRequestApi, ReviewThread } from "../../ports/pull-requests.ts";
import { attempt } from "./errors.ts";
import { fitBody } from "./fit.ts";
import { type GithubRepository, isOwn } from "./repository.ts";
import { listThreads } from "./threads.ts";

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

/** GitHub's words for a submitted review; one that is still being written (PENDING) is none. */
const STATES: Readonly<Record<string, HostReview["state"]>> = {
  APPROVED: "approved",
  CHANGES_REQUESTED: "changes-requested",
  COMMENTED: "commented",
  DISMISSED: "dismissed",
};

/** The submitted reviews of a pull request, oldest first. */
function listReviews(repository: GithubRepository, pullRequest: number): Promise<readonly HostReview[]> {
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

const REPLY = `mutation ($thread: ID!, $body: String!) {
  addPullRequestReviewThreadReply(input: { pullRequestReviewThreadId: $thread, body: $body }) { comment { id } }
}`;

/**
 * Replies by REST, and where that is refused by GraphQL: not every version of GitHub lets apps use both.
 * Only a refusal falls back; after a fault the reply may be there, and the caller looks before it repeats.
 */
async function replyToThread(
  repository: GithubRepository,
  pullRequest: number,
  thread: ReviewThread,
  body: string,
): Promise<void> {
  const { client, owner, repo } = repository;
  const action = `reply in a review thread of #${pullRequest}`;
  const first = thread.comments[0];
  if (!first) throw new MagisError("HOST_NOT_FOUND", `GitHub could not ${action}: the thread has no comment.`);
  const text = fitBody(body);
  try {
    await attempt(action, async () => {
      // GitHub's description requires the commit and the path although a reply takes both from its thread.
      const pull = await client.rest.pulls.get({ owner, repo, pull_number: pullRequest });
      const place = { owner, repo, pull_number: pullRequest, commit_id: pull.data.head.sha, path: thread.path };
      await client.rest.pulls.createReviewComment({ ...place, in_reply_to: first.id, body: text });
    });
  } catch (error) {
    if (!isHostRefusal(error)) throw error;
    await attempt(action, () => client.graphql(REPLY, { thread: thread.id, body: text }));
  }
}
