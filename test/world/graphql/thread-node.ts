import { accountOf } from "../account-of.ts";
import { roleOf } from "../front/role-of.ts";
import { htmlOf } from "../render-body.ts";
import type { Actor, Fields, RepositoryState, ReviewComment, Thread, WorldState } from "../state.ts";
import { authorNode } from "./author-node.ts";
import { type ConnectionArguments, connection } from "./connection.ts";

/** A review thread as GraphQL shows it to `actor`; `pullRequest` gives the node of its pull request. */
export function threadNode(
  state: WorldState,
  repo: RepositoryState,
  actor: Actor,
  thread: Thread,
  pullRequest: () => Promise<Fields>,
) {
  const [first] = thread.comments;
  const may = actor.kind === "installation" || ["write", "maintain", "admin"].includes(roleOf(repo, actor.login));
  const resolved = thread.resolvedBy !== undefined;
  return {
    __typename: "PullRequestReviewThread",
    id: thread.id,
    isResolved: resolved,
    isOutdated: thread.outdated,
    isCollapsed: resolved,
    resolvedBy: async () => {
      if (thread.resolvedBy === undefined) return null;
      return authorNode(await accountOf(state, thread.resolvedBy));
    },
    path: first?.path ?? "",
    line: first?.line ?? null,
    originalLine: first?.original_line ?? null,
    startLine: first?.start_line ?? null,
    originalStartLine: first?.original_start_line ?? null,
    diffSide: first?.side ?? "RIGHT",
    startDiffSide: first?.start_side ?? null,
    subjectType: first?.subject_type === "file" ? "FILE" : "LINE",
    viewerCanReply: true,
    viewerCanResolve: may && !resolved,
    viewerCanUnresolve: may && resolved,
    pullRequest,
    comments: (page: ConnectionArguments) =>
      connection(
        thread.comments.map((one) => commentNode(state, repo, actor, thread, one, pullRequest)),
        page,
      ),
  };
}

function commentNode(
  state: WorldState,
  repo: RepositoryState,
  actor: Actor,
  thread: Thread,
  comment: ReviewComment,
  pullRequest: () => Promise<Fields>,
): Fields {
  const { id, node_id, body, path, html_url, created_at, updated_at, diff_hunk, user } = comment;
  const parent = thread.comments.find((one) => one.id === comment.in_reply_to_id);
  return {
    __typename: "PullRequestReviewComment",
    id: node_id,
    databaseId: id,
    fullDatabaseId: String(id),
    body,
    bodyHTML: htmlOf(state, body),
    path,
    line: comment.line,
    originalLine: comment.original_line,
    url: html_url,
    createdAt: created_at,
    updatedAt: updated_at,
    diffHunk: diff_hunk,
    originalCommit: { oid: comment.original_commit_id },
    outdated: thread.outdated,
    isMinimized: repo.minimized.has(node_id),
    minimizedReason: repo.minimized.get(node_id) ?? null,
    author: authorNode(user),
    authorAssociation: comment.author_association,
    viewerDidAuthor: user.login === actor.login,
    replyTo: parent === undefined ? null : () => commentNode(state, repo, actor, thread, parent, pullRequest),
    pullRequest,
  };
}
