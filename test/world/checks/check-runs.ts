import { accountOf } from "../account-of.ts";
import { renderCommit } from "../git/commits.ts";
import { announce } from "../hooks/announce.ts";
import { renderPull } from "../pulls/render-pull.ts";
import type { CheckApp, CheckRun, CheckSuite, Fields, RepositoryState, WorldState } from "../state.ts";

export interface CiJob {
  name: string;
  /** Absent while the job is running. */
  conclusion?: "success" | "failure" | "neutral" | "cancelled" | "skipped" | "timed_out" | "action_required";
  annotations?: { path: string; line: number; message: string; level?: "notice" | "warning" | "failure" }[];
  log?: string;
}

/** A file that a workflow run uploads. */
export interface CiArtifact {
  name: string;
  zip: Uint8Array;
}

export interface CiResult {
  name: string;
  /** The id of both the check run and the job, which GitHub gives the same. */
  id: number;
}

const ACTIONS = { id: 15368, slug: "github-actions", name: "GitHub Actions" };

/**
 * Runs jobs on a commit like GitHub Actions: all begin, then those with a conclusion end one by one. The suite ends
 * only with `last`, so that jobs may be added until then. A job with a known name runs again.
 */
export async function runCi(
  state: WorldState,
  repo: RepositoryState,
  sha: string,
  jobs: CiJob[],
  last: boolean,
  artifacts: CiArtifact[] = [],
): Promise<CiResult[]> {
  const suite = suiteOf(state, repo, ACTIONS, sha);
  // Later jobs, which need others, belong to the running workflow.
  const going = suite.held ? repo.workflows.findLast((one) => one.suite === suite) : undefined;
  suite.held = true;
  const workflow = going?.id ?? state.nextId();
  if (!going) repo.workflows.push({ id: workflow, sha, path: ".github/workflows/ci.yml", suite, artifacts: [] });
  const kept = repo.workflows.find(({ id }) => id === workflow)?.artifacts;
  for (const artifact of artifacts) kept?.push({ id: state.nextId(), ...artifact });
  const begun: CheckRun[] = [];
  for (const { name } of jobs) {
    const id = state.nextId();
    const run: CheckRun = {
      id,
      sha,
      suite,
      name,
      status: "in_progress",
      conclusion: null,
      started_at: new Date().toISOString(),
      completed_at: null,
      external_id: String(id),
      details_url: `${state.url}/${repo.owner}/${repo.name}/actions/runs/${workflow}/job/${id}`,
      output: { title: null, summary: null, text: null },
      annotations: [],
    };
    await saveCheckRun(state, repo, run);
    begun.push(run);
  }
  for (const [index, run] of begun.entries()) {
    const { conclusion, annotations = [], log } = jobs[index] ?? {};
    if (log !== undefined) repo.jobLogs.set(run.id, log);
    if (conclusion === undefined) continue;
    const rows = annotations.map(({ path, line, message, level = "failure" }) => ({
      path,
      start_line: line,
      end_line: line,
      annotation_level: level,
      message,
    }));
    const ended = { status: "completed", conclusion, completed_at: new Date().toISOString(), annotations: rows };
    await saveCheckRun(state, repo, { ...run, ...ended });
  }
  if (last) {
    suite.held = false;
    await endSuite(state, repo, suite);
  }
  return begun.map(({ name, id }) => ({ name, id }));
}

/** The branches whose tip is `sha`. */
async function branchesAt(repo: RepositoryState, sha: string): Promise<string[]> {
  const heads = [...(await repo.bare.refs())].filter(([ref, tip]) => ref.startsWith("refs/heads/") && tip === sha);
  return heads.map(([ref]) => ref.slice("refs/heads/".length));
}

interface StatusFields {
  state: string;
  context: string;
}

/** Gives the commit `sha` a status by `login`, and announces it. */
export async function createStatus(
  state: WorldState,
  repo: RepositoryState,
  login: string,
  sha: string,
  fields: StatusFields,
): Promise<Fields> {
  const now = new Date().toISOString();
  const row = {
    id: state.nextId(),
    state: fields.state,
    description: null,
    target_url: null,
    context: fields.context,
    created_at: now,
    updated_at: now,
    creator: await accountOf(state, login),
  };
  repo.statuses.unshift({ sha, row });
  const branches = (await branchesAt(repo, sha)).map((name) => ({ name, commit: { sha } }));
  const commit = await renderCommit(state, repo, sha);
  await announce(state, repo, login, "status", { ...row, sha, commit, branches });
  return row;
}

/** Announces the end of a suite once all its runs have ended. */
async function endSuite(state: WorldState, repo: RepositoryState, suite: CheckSuite): Promise<void> {
  const check_suite = await renderSuite(state, repo, suite);
  if (check_suite.status !== "completed") return;
  const sender = await senderAt(state, repo, suite.sha);
  await announce(state, repo, sender, "check_suite", { action: "completed", check_suite });
}

/** The open pull requests with head `sha`, in the short form inside checks. */
async function pullsAt(state: WorldState, repo: RepositoryState, sha: string): Promise<Fields[]> {
  const pulls = [...repo.pulls.values()].filter((pull) => pull.open && pull.headSha === sha);
  return Promise.all(pulls.map(({ number }) => renderPull(state, repo, number)));
}

/** A check run in GitHub's REST form. */
export async function renderCheckRun(state: WorldState, repo: RepositoryState, run: CheckRun): Promise<Fields> {
  const { id, sha, suite, annotations, output, ...shown } = run;
  return {
    ...shown,
    id,
    head_sha: sha,
    html_url: `${state.url}/${repo.owner}/${repo.name}/runs/${id}`,
    output: { ...output, annotations_count: annotations.length },
    check_suite: { id: suite.id },
    app: suite.app,
    pull_requests: await pullsAt(state, repo, sha),
  };
}

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
  return {
    id,
    head_branch: (await branchesAt(repo, sha))[0] ?? null,
    head_sha: sha,
    status: done ? "completed" : "in_progress",
    conclusion: done ? (ORDER.find((one) => runs.some(({ conclusion }) => conclusion === one)) ?? null) : null,
    pull_requests: await pullsAt(state, repo, sha),
    app,
    created_at: createdAt,
    updated_at: runs
      .map((run) => run.completed_at ?? run.started_at ?? "")
      .reduce((a, b) => (a > b ? a : b), createdAt),
    latest_check_runs_count: new Set(runs.map(({ name }) => name)).size,
  };
}

/**
 * Stores a check run and announces it: `created` when it is new, `completed` when it ends, and then
 * `check_suite.completed` when its suite has ended. The sender is the commit's author: the bot for its own commits.
 */
export async function saveCheckRun(state: WorldState, repo: RepositoryState, run: CheckRun): Promise<void> {
  const at = repo.checks.findIndex(({ id }) => id === run.id);
  const before = repo.checks[at];
  if (before === undefined) repo.checks.push(run);
  else repo.checks[at] = run;
  const ended = run.status === "completed" && before?.status !== "completed";
  const sender = await senderAt(state, repo, run.sha);
  const check_run = {
    ...(await renderCheckRun(state, repo, run)),
    check_suite: await renderSuite(state, repo, run.suite),
  };
  const tell = (action: string) => announce(state, repo, sender, "check_run", { action, check_run });
  if (before === undefined) await tell("created");
  if (ended) await tell("completed");
  if (ended && !run.suite.held) await endSuite(state, repo, run.suite);
}

/** The sender of automatic events on a commit: its author, or else some member of the repository. */
export async function senderAt(state: WorldState, repo: RepositoryState, sha: string): Promise<string> {
  const { author } = (await renderCommit(state, repo, sha)) as Fields & { author: { login: string } | null };
  const somebody = [...repo.roles.keys()][0] ?? [...state.tokens.values()].find(({ kind }) => kind === "user")?.login;
  const login = author?.login ?? somebody;
  if (login === undefined) throw new Error(`nobody could have made ${sha} in the world`);
  return login;
}

/** The suite of an app's checks on a commit, created if necessary. */
export function suiteOf(state: WorldState, repo: RepositoryState, app: CheckApp, sha: string): CheckSuite {
  const known = repo.suites.find((suite) => suite.sha === sha && suite.app.id === app.id);
  if (known !== undefined) return known;
  const suite = { id: state.nextId(), sha, app, held: false, createdAt: new Date().toISOString() };
  repo.suites.push(suite);
  return suite;
}
