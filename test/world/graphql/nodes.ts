import { accountOf } from "../account-of.ts";
import { roleOf } from "../front/authorise.ts";
import { renderPull } from "../pulls/render-pull.ts";
import { htmlOf } from "../render-body.ts";
import type {
  Account,
  Actor,
  Fields,
  PullState,
  RepositoryState,
  ReviewComment,
  Thread,
  WorldState,
} from "../state.ts";

/** A pull request in GraphQL's form. */
export async function pullNode(
  state: WorldState,
  repo: RepositoryState,
  actor: Actor,
  number: number,
): Promise<Fields> {
  const row = await renderPull(state, repo, number);
  const pull = repo.pulls.get(number);
  const conflicts = pull?.open ? await conflictsWithBase(repo, pull) : undefined;
  const stamp = pull?.mergeCommit === undefined ? String(row.state).toUpperCase() : "MERGED";
  const threads = () => repo.threads.filter((thread) => thread.pull === number);
  const labels = row.labels as { name: string; node_id: string; color: string }[];
  const self: Fields = {
    __typename: "PullRequest",
    id: row.node_id,
    databaseId: row.id,
    fullDatabaseId: String(row.id),
    number,
    title: row.title,
    body: row.body ?? "",
    url: row.html_url,
    state: stamp,
    closed: stamp !== "OPEN",
    merged: stamp === "MERGED",
    isDraft: row.draft,
    locked: row.locked,
    repository: { nameWithOwner: `${repo.owner}/${repo.name}` },
    headRefName: pull?.headRef,
    headRefOid: pull?.headSha,
    baseRefName: pull?.baseRef,
    baseRefOid: pull?.baseSha,
    mergeable: mergeableOf(conflicts),
    mergeStateStatus: conflicts ? "DIRTY" : "CLEAN",
    additions: row.additions,
    deletions: row.deletions,
    changedFiles: row.changed_files,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    author: authorNode(row.user as Account),
    viewerDidAuthor: pull?.author === actor.login,
    labels: (page: ConnectionArguments) =>
      connection(
        labels.map(({ name, node_id: id, color }) => ({ id, name, color })),
        page,
      ),
    reviews: (page: ConnectionArguments) => connection(reviewNodes(repo, number), page),
    reviewThreads: (page: ConnectionArguments) =>
      connection(
        threads().map((thread) => threadNode(state, repo, actor, thread, async () => self)),
        page,
      ),
  };
  return self;
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

function reviewNodes(repo: RepositoryState, number: number): Fields[] {
  const rows = repo.reviews.filter((one) => one.pull === number).map(({ row }) => row);
  return rows.map((row) => ({
    __typename: "PullRequestReview",
    id: row.node_id,
    databaseId: row.id,
    fullDatabaseId: String(row.id),
    body: row.body,
    state: row.state,
    author: authorNode(row.user),
    submittedAt: row.submitted_at ?? null,
    commit: { oid: row.commit_id },
  }));
}

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

/** A user or bot as GraphQL's Actor; a bot's login has no `[bot]` here, as on GitHub. */
export function authorNode({ login, type, node_id, url }: Account) {
  const bot = type === "Bot";
  return { __typename: bot ? "Bot" : "User", login: bot ? login.replace(/\[bot\]$/, "") : login, id: node_id, url };
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
  const pageInfo = {
    hasNextPage: end < items.length,
    hasPreviousPage: from > 0,
    startCursor: nodes.length === 0 ? null : cursor(from + 1),
    endCursor: nodes.length === 0 ? null : cursor(end),
  };
  const edges = nodes.map((node, index) => ({ node, cursor: cursor(from + index + 1) }));
  return { totalCount: items.length, nodes, edges, pageInfo };
}

function cursor(position: number): string {
  return Buffer.from(`cursor:${position}`).toString("base64");
}
