import { announce } from "../hooks/announce.ts";
import { allIssueComments } from "../issues/complete-issue.ts";
import { renderPull } from "../pulls/render-pull.ts";
import { type ReviewFields, submitReview } from "../pulls/submit-review.ts";
import type { Actor, RepositoryState, Thread, WorldState } from "../state.ts";
import { pullNode, threadNode } from "./nodes.ts";
import { findPull, findThread, graphqlFailure, requireAccess } from "./require-access.ts";

interface Input<T> {
  input: T & { clientMutationId?: string };
}

/** Mutations of review threads. */
export function threadMutations(state: WorldState, actor: Actor) {
  const show = (thread: Thread) => threadNode(state, thread);
  const submit = async (repo: RepositoryState, thread: Thread, body: string) => {
    const pull = repo.pulls.get(thread.pull);
    if (pull === undefined) throw graphqlFailure("NOT_FOUND", "Could not resolve to a PullRequest.");
    const fields: ReviewFields = { thread, comments: [{ body }], event: "COMMENT", body: "" };
    const made = await submitReview(state, repo, actor, pull, fields);
    if ("review" in made) return;
    const { message, errors } = made.body as { message: string; errors?: unknown[] };
    throw graphqlFailure("UNPROCESSABLE", errors === undefined ? message : errors.map(String).join(", "));
  };
  return {
    resolveReviewThread: async ({ input }: Input<{ threadId: string }>) => {
      const { repo, thread } = threadFor(state, actor, input.threadId, "write");
      await resolve(state, repo, actor, thread);
      return { thread: show(thread) };
    },
    addPullRequestReviewThreadReply: async ({ input }: Input<{ pullRequestReviewThreadId: string; body: string }>) => {
      const { repo, thread } = threadFor(state, actor, input.pullRequestReviewThreadId, "read");
      await submit(repo, thread, input.body);
      return { comment: show(thread).comments({ last: 1 }).nodes[0] };
    },
  };
}

function threadFor(state: WorldState, actor: Actor, id: string, role: "read" | "write") {
  const { repo, thread } = findThread(state, id);
  const own = repo.pulls.get(thread.pull)?.author === actor.login;
  requireAccess(actor, repo, { permissions: ["pull_requests"], level: "write", role: own ? "read" : role });
  return { repo, thread };
}

async function resolve(state: WorldState, repo: RepositoryState, actor: Actor, thread: Thread) {
  if (thread.resolvedBy !== undefined) return;
  thread.resolvedBy = actor.login;
  const pull_request = await renderPull(state, repo, thread.pull);
  const payload = { action: "resolved", thread: { node_id: thread.id, comments: thread.comments }, pull_request };
  await announce(state, repo, actor.login, "pull_request_review_thread", payload);
}

/** Mutations of pull requests that REST lacks, and hiding comments. */
export function pullMutations(state: WorldState, actor: Actor) {
  return {
    markPullRequestReadyForReview: async ({ input }: Input<{ pullRequestId: string }>) => {
      const { repo, number } = await findPull(state, input.pullRequestId);
      const own = repo.pulls.get(number)?.author === actor.login;
      requireAccess(actor, repo, { permissions: ["pull_requests"], level: "write", role: own ? "read" : "write" });
      if ((await renderPull(state, repo, number)).draft === true) {
        await state.emulate.ask("PATCH", `/repos/${repo.owner}/${repo.name}/pulls/${number}`, {
          body: { draft: false },
        });
        const pull_request = await renderPull(state, repo, number);
        await announce(state, repo, actor.login, "pull_request", { action: "ready_for_review", number, pull_request });
      }
      return { pullRequest: await pullNode(state, repo, number) };
    },
    minimizeComment: async ({ input }: { input: { subjectId: string } }) => {
      const repo = await repositoryWith(state, input.subjectId);
      requireAccess(actor, repo, { permissions: ["issues", "pull_requests"], level: "write", role: "write" });
      repo.minimized.add(input.subjectId);
      return { minimizedComment: { __typename: "IssueComment", isMinimized: true } };
    },
  };
}

/** The repository with an issue comment of that GraphQL id. */
async function repositoryWith(state: WorldState, id: string): Promise<RepositoryState> {
  for (const repo of state.repositories.values())
    if ((await allIssueComments(state, repo)).some((comment) => comment.node_id === id)) return repo;
  throw graphqlFailure("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'.`);
}
