import { renderPull } from "../pulls/render-pull.ts";
import { htmlOf } from "../render-body.ts";
import type { Account, Fields, PullState, RepositoryState, ReviewComment, Thread, WorldState } from "../state.ts";

/** A pull request in GraphQL's form. */
export async function pullNode(state: WorldState, repo: RepositoryState, number: number): Promise<Fields> {
  const row = await renderPull(state, repo, number);
  const pull = repo.pulls.get(number);
  const conflicts = pull?.open ? await conflictsWithBase(repo, pull) : undefined;
  const stamp = pull?.mergeCommit === undefined ? String(row.state).toUpperCase() : "MERGED";
  return {
    __typename: "PullRequest",
    id: row.node_id,
    number,
    title: row.title,
    body: row.body ?? "",
    state: stamp,
    isDraft: row.draft,
    repository: { nameWithOwner: `${repo.owner}/${repo.name}` },
    headRefName: pull?.headRef,
    mergeable: mergeableOf(conflicts),
    mergeStateStatus: conflicts ? "DIRTY" : "CLEAN",
    author: authorNode(row.user as Account),
    reviewThreads: (page: ConnectionArguments) =>
      connection(
        repo.threads.filter((thread) => thread.pull === number).map((thread) => threadNode(state, thread)),
        page,
      ),
  };
}

function mergeableOf(conflicts: boolean | undefined): string {
  if (conflicts === undefined) return "UNKNOWN";
  return conflicts ? "CONFLICTING" : "MERGEABLE";
}

async function conflictsWithBase(repo: RepositoryState, { baseSha, headSha }: PullState): Promise<boolean> {
  const made = repo.bare.fixed("merge-tree", "--write-tree", baseSha, headSha);
  return made.then(
    () => false,
    () => true,
  );
}

/** A review thread in GraphQL's form. */
export function threadNode(state: WorldState, thread: Thread) {
  const [first] = thread.comments;
  return {
    __typename: "PullRequestReviewThread",
    id: thread.id,
    isResolved: thread.resolvedBy !== undefined,
    isOutdated: thread.outdated,
    path: first?.path ?? "",
    line: first?.line ?? null,
    startLine: first?.start_line ?? null,
    diffSide: first?.side ?? "RIGHT",
    subjectType: first?.subject_type === "file" ? "FILE" : "LINE",
    comments: (page: ConnectionArguments) =>
      connection(
        thread.comments.map((one) => commentNode(state, one)),
        page,
      ),
  };
}

function commentNode(state: WorldState, comment: ReviewComment): Fields {
  return {
    __typename: "PullRequestReviewComment",
    id: comment.node_id,
    databaseId: comment.id,
    body: comment.body,
    bodyHTML: htmlOf(state, comment.body),
    createdAt: comment.created_at,
    publishedAt: comment.created_at,
    diffHunk: comment.diff_hunk,
    originalCommit: { oid: comment.original_commit_id },
    author: authorNode(comment.user),
  };
}

/** A user or bot as GraphQL's Actor; a bot's login has no `[bot]` here, as on GitHub. */
function authorNode({ login, type }: Account) {
  return { __typename: type === "Bot" ? "Bot" : "User", login: login.replace(/\[bot\]$/, "") };
}

export interface ConnectionArguments {
  first?: number | null;
  last?: number | null;
  after?: string | null;
}

/** A page of a list in Relay's form. GitHub insists on `first` or `last`, of at most 100. */
export function connection<T>(items: T[], { first, last, after }: ConnectionArguments) {
  if (typeof first !== "number" && typeof last !== "number")
    throw new Error("You must provide a `first` or `last` value to properly paginate the connection.");
  if ((first ?? last ?? 0) > 100)
    throw new Error("Requesting more than 100 records on the connection exceeds the `first` limit of 100 records.");
  const start = after ? Number(Buffer.from(after, "base64").toString().slice("cursor:".length)) : 0;
  const from = typeof last === "number" ? Math.max(0, items.length - last) : start;
  const nodes = typeof last === "number" ? items.slice(from) : items.slice(from, from + (first ?? 0));
  const end = from + nodes.length;
  return { nodes, pageInfo: { hasNextPage: end < items.length, endCursor: nodes.length === 0 ? null : cursor(end) } };
}

function cursor(position: number): string {
  return Buffer.from(`cursor:${position}`).toString("base64");
}
