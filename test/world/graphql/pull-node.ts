import { renderPull } from "../pulls/render-pull.ts";
import type { Account, Actor, Fields, PullState, RepositoryState, WorldState } from "../state.ts";
import { authorNode } from "./author-node.ts";
import { type ConnectionArguments, connection } from "./connection.ts";
import { threadNode } from "./thread-node.ts";

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
