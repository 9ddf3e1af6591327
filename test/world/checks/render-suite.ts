import { renderGitCommit } from "../git/render-git-commit.ts";
import type { CheckSuite, Fields, RepositoryState, WorldState } from "../state.ts";
import { branchesAt } from "./branches-at.ts";
import { pullsAt } from "./pulls-at.ts";
import { renderApp } from "./render-app.ts";

/** From worst to best: the suite's conclusion is the first of these among its runs. */
const ORDER = [
  "failure",
  "startup_failure",
  "timed_out",
  "action_required",
  "cancelled",
  "stale",
  "success",
  "neutral",
  "skipped",
];

/** A check suite in the form of its webhooks. */
export async function renderSuite(state: WorldState, repo: RepositoryState, suite: CheckSuite): Promise<Fields> {
  const { id, sha, app, createdAt } = suite;
  const runs = repo.checks.filter((run) => run.suite === suite);
  const done = !suite.held && runs.every(({ status }) => status === "completed");
  const url = `${state.url}/repos/${repo.owner}/${repo.name}/check-suites/${id}`;
  const commit = (await renderGitCommit(state, repo, sha)) as Fields & {
    author: { name: string; email: string };
    committer: { name: string; email: string; date: string };
    tree: { sha: string };
  };
  const { author, committer, tree, message } = commit;
  return {
    id,
    node_id: `CS_${id}`,
    head_branch: (await branchesAt(repo, sha))[0] ?? null,
    head_sha: sha,
    status: done ? "completed" : "in_progress",
    conclusion: done ? (ORDER.find((one) => runs.some(({ conclusion }) => conclusion === one)) ?? null) : null,
    url,
    before: (await repo.bare.resolve(`${sha}^1`)) ?? "0".repeat(40),
    after: sha,
    pull_requests: await pullsAt(state, repo, sha),
    app: await renderApp(state, repo, app),
    created_at: createdAt,
    updated_at: runs
      .map((run) => run.completed_at ?? run.started_at ?? "")
      .reduce((a, b) => (a > b ? a : b), createdAt),
    rerequestable: true,
    runs_rerequestable: false,
    latest_check_runs_count: new Set(runs.map(({ name }) => name)).size,
    check_runs_url: `${url}/check-runs`,
    head_commit: {
      id: sha,
      tree_id: tree.sha,
      message,
      timestamp: committer.date,
      author: { name: author.name, email: author.email },
      committer: { name: committer.name, email: committer.email },
    },
  };
}
