import { isMagisError, MagisError } from "../../model/magis-error.ts";
import type { ReviewThread } from "../../ports/pull-request-api.ts";
import { attempt } from "./attempt.ts";
import { fitBody } from "./fit-body.ts";
import type { GithubRepository } from "./github-repository.ts";

const REPLY = `mutation ($thread: ID!, $body: String!) {
  addPullRequestReviewThreadReply(input: { pullRequestReviewThreadId: $thread, body: $body }) { comment { id } }
}`;

/**
 * Replies by REST, and where that is refused by GraphQL: not every version of GitHub lets apps use both.
 * Only a refusal falls back; after a fault the reply may be there, and the caller looks before it repeats.
 */
export async function replyToThread(
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
    if (!isMagisError(error, "HOST_REFUSED", "HOST_NOT_FOUND")) throw error;
    await attempt(action, () => client.graphql(REPLY, { thread: thread.id, body: text }));
  }
}
