import { announce } from "../hooks/announce.ts";
import { renderComment } from "../pulls/render-comment.ts";
import { renderPull } from "../pulls/render-pull.ts";
import { type ReviewFields, submitReview } from "../pulls/submit-review.ts";
import type { Actor, RepositoryState, Thread, WorldState } from "../state.ts";
import { findPull } from "./find-pull.ts";
import { graphqlFailure } from "./graphql-failure.ts";
import { pullNode } from "./pull-node.ts";
import { requireAccess } from "./require-access.ts";
import { threadNode } from "./thread-node.ts";

interface Input<T> {
  input: T & { clientMutationId?: string };
}

interface NewThread {
  pullRequestId: string;
  body: string;
  path: string;
  line?: number;
  side?: "LEFT" | "RIGHT";
  startLine?: number;
  startSide?: "LEFT" | "RIGHT";
  subjectType?: "LINE" | "FILE";
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
    unresolveReviewThread: async ({ input }: Input<{ threadId: string }>) => {
      const { repo, thread } = threadOf(state, actor, input.threadId, "write");
      await setResolved(state, repo, actor, thread, false);
      return node(repo, thread);
    },
    addPullRequestReviewThreadReply: async ({ input }: Input<{ pullRequestReviewThreadId: string; body: string }>) => {
      const { repo, thread } = threadOf(state, actor, input.pullRequestReviewThreadId, "read");
      await submit(repo, thread.pull, { thread, comments: [{ body: input.body }] });
      const comments = show(repo, thread).comments({ last: 1 }).nodes;
      return { comment: comments[0] };
    },
    addPullRequestReviewThread: async ({ input }: Input<NewThread>) => {
      const { repo, number } = await findPull(state, input.pullRequestId);
      requireAccess(actor, repo, { permissions: ["pull_requests"], level: "write", role: "read" });
      const { body, path, line, side, startLine, startSide, subjectType } = input;
      const place = {
        line,
        side,
        start_line: startLine,
        start_side: startSide,
        subject_type: subjectType === "FILE" ? "file" : undefined,
      };
      await submit(repo, number, { comments: [{ body, path, ...place }] });
      const thread = repo.threads.at(-1);
      return thread === undefined ? { thread: null } : node(repo, thread);
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
