import { announce } from "../hooks/announce.ts";
import { allIssueComments } from "../issues/all-issue-comments.ts";
import { renderPull } from "../pulls/render-pull.ts";
import type { Actor, RepositoryState, WorldState } from "../state.ts";
import { findPull } from "./find-pull.ts";
import { graphqlFailure } from "./graphql-failure.ts";
import { pullNode } from "./pull-node.ts";
import { requireAccess } from "./require-access.ts";

/** Mutations of pull requests that REST lacks, and hiding comments. */
export function pullMutations(state: WorldState, actor: Actor) {
  const setDraft = async (id: string, draft: boolean) => {
    const { repo, number } = await findPull(state, id);
    const own = repo.pulls.get(number)?.author === actor.login;
    requireAccess(actor, repo, { permissions: ["pull_requests"], level: "write", role: own ? "read" : "write" });
    const before = await renderPull(state, repo, number);
    if (before.draft !== draft) {
      await state.emulate.ask("PATCH", `/repos/${repo.owner}/${repo.name}/pulls/${number}`, { body: { draft } });
      const action = draft ? "converted_to_draft" : "ready_for_review";
      const pull_request = await renderPull(state, repo, number);
      await announce(state, repo, actor.login, "pull_request", { action, number, pull_request });
    }
    return { pullRequest: await pullNode(state, repo, actor, number) };
  };
  return {
    markPullRequestReadyForReview: ({ input }: { input: { pullRequestId: string } }) =>
      setDraft(input.pullRequestId, false),
    convertPullRequestToDraft: ({ input }: { input: { pullRequestId: string } }) => setDraft(input.pullRequestId, true),
    minimizeComment: async ({ input }: { input: { subjectId: string; classifier: string } }) => {
      const { repo, type } = await commentOf(state, input.subjectId);
      requireAccess(actor, repo, { permissions: ["issues", "pull_requests"], level: "write", role: "write" });
      const reason = input.classifier.toLowerCase().replace("_", "-");
      repo.minimized.set(input.subjectId, reason);
      return {
        minimizedComment: { __typename: type, id: input.subjectId, isMinimized: true, minimizedReason: reason },
      };
    },
  };
}

async function commentOf(state: WorldState, id: string): Promise<{ repo: RepositoryState; type: string }> {
  for (const repo of state.repositories.values()) {
    if (repo.reviews.some(({ row }) => row.node_id === id)) return { repo, type: "PullRequestReview" };
    const review = repo.threads.some((thread) => thread.comments.some((comment) => comment.node_id === id));
    if (review) return { repo, type: "PullRequestReviewComment" };
    const comments = await allIssueComments(state, repo);
    if (comments.some((comment) => comment.node_id === id)) return { repo, type: "IssueComment" };
  }
  throw graphqlFailure("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'.`);
}
