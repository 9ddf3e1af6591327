import { announce } from "../hooks/announce.ts";
import { allIssueComments } from "../issues/complete-issue.ts";
import { renderComment } from "../pulls/build-comment.ts";
import { renderPull } from "../pulls/render-pull.ts";
import { type ReviewFields, submitReview } from "../pulls/submit-review.ts";
import type { Actor, RepositoryState, Thread, WorldState } from "../state.ts";
import { pullNode, threadNode } from "./nodes.ts";
import { findPull, graphqlFailure, requireAccess } from "./require-access.ts";

interface Input<T> {
  input: T & { clientMutationId?: string };
}

/** Mutations of review threads. */
export function threadMutations(state: WorldState, actor: Actor) {
  const show = (repo: RepositoryState, thread: Thread) =>
    threadNode(state, repo, actor, thread, () => pullNode(state, repo, actor, thread.pull));
  const node = (repo: RepositoryState, thread: Thread) => ({ thread: show(repo, thread) });
  const submit = async (repo: RepositoryState, number: number, fields: Omit<ReviewFields, "event" | "body">) => {
    const pull = repo.pulls.get(number);
    if (pull === undefined) throw graphqlFailure("NOT_FOUND", "Could not resolve to a PullRequest.");
    const made = await submitReview(state, repo, actor, pull, { ...fields, event: "COMMENT", body: "" });
    if ("review" in made) return made;
    const { message, errors } = made.body as { message: string; errors?: unknown[] };
    throw graphqlFailure("UNPROCESSABLE", errors === undefined ? message : errors.map(String).join(", "));
  };
  return {
    resolveReviewThread: async ({ input }: Input<{ threadId: string }>) => {
      const { repo, thread } = threadOf(state, actor, input.threadId, "write");
      await setResolved(state, repo, actor, thread, true);
      return node(repo, thread);
    },
    addPullRequestReviewThreadReply: async ({ input }: Input<{ pullRequestReviewThreadId: string; body: string }>) => {
      const { repo, thread } = threadOf(state, actor, input.pullRequestReviewThreadId, "read");
      await submit(repo, thread.pull, { thread, comments: [{ body: input.body }] });
      const comments = show(repo, thread).comments({ last: 1 }).nodes;
      return { comment: comments[0] };
    },
  };
}

function threadOf(state: WorldState, actor: Actor, id: string, role: "read" | "write") {
  for (const repo of state.repositories.values()) {
    const thread = repo.threads.find((one) => one.id === id);
    if (thread === undefined) continue;
    const own = repo.pulls.get(thread.pull)?.author === actor.login;
    requireAccess(actor, repo, { permissions: ["pull_requests"], level: "write", role: own ? "read" : role });
    return { repo, thread };
  }
  throw graphqlFailure("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'.`);
}

async function setResolved(state: WorldState, repo: RepositoryState, actor: Actor, thread: Thread, resolved: boolean) {
  if ((thread.resolvedBy !== undefined) === resolved) return;
  thread.resolvedBy = resolved ? actor.login : undefined;
  const action = resolved ? "resolved" : "unresolved";
  const comments = thread.comments.map((comment) => renderComment(repo, comment));
  const pull_request = await renderPull(state, repo, thread.pull);
  const payload = { action, thread: { node_id: thread.id, comments }, pull_request };
  await announce(state, repo, actor.login, "pull_request_review_thread", payload);
}

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
