import { failure, paginate } from "../front/answers.ts";
import type { Answer, Call, CheckRun, Fields, RepositoryState, Route, WorkflowRun, WorldState } from "../state.ts";
import { renderSuite } from "./check-runs.ts";

/** Workflow runs with their jobs, steps and artifacts, and the suites of a commit. */
export function actionRoutes(): Route[] {
  const R = "/repos/{owner}/{repo}";
  return [
    ["GET", `${R}/actions/runs`, workflowRuns],
    ["GET", `${R}/actions/runs/{run}/artifacts`, artifacts],
    ["GET", `${R}/actions/artifacts/{artifact}/zip`, artifact],
    ["GET", `${R}/actions/jobs/{job}`, job],
    ["GET", `${R}/commits/{ref+}/check-suites`, suitesOf],
  ];
}

async function workflowRuns(call: Call): Promise<Answer> {
  const { state, repo, query } = call;
  const wanted = repo.workflows.filter(({ sha }) => !query.has("head_sha") || query.get("head_sha") === sha).reverse();
  const page = paginate(call, wanted);
  const rows = await Promise.all((page.body as WorkflowRun[]).map((run) => renderRun(state, repo, run)));
  return { ...page, body: { total_count: wanted.length, workflow_runs: rows } };
}

async function renderRun(state: WorldState, repo: RepositoryState, run: WorkflowRun): Promise<Fields> {
  const { id, sha, path, suite } = run;
  const { conclusion, status, head_branch } = await renderSuite(state, repo, suite);
  const html_url = `${state.url}/${repo.owner}/${repo.name}/actions/runs/${id}`;
  return { id, name: "CI", path, head_sha: sha, head_branch, event: "push", status, conclusion, html_url };
}

async function artifacts(call: Call): Promise<Answer> {
  const { repo, params } = call;
  const run = repo.workflows.find(({ id }) => String(id) === params.run);
  if (!run) return failure(404, "Not Found");
  const page = paginate(
    call,
    run.artifacts.map(({ id, name, zip }) => ({ id, name, size_in_bytes: zip.length, expired: false })),
  );
  return { ...page, body: { total_count: run.artifacts.length, artifacts: page.body } };
}

async function artifact({ state, repo, params }: Call): Promise<Answer> {
  return {
    status: 302,
    headers: { location: `${state.filesUrl}/_artifacts/${repo.owner}/${repo.name}/${params.artifact}` },
  };
}

async function job({ state, repo, params }: Call): Promise<Answer> {
  const run = repo.checks.find(({ id, suite }) => String(id) === params.job && suite.app.slug === "github-actions");
  if (!run) return failure(404, "Not Found");
  const { id, sha, name, status, conclusion } = run;
  const check_run_url = `${state.url}/repos/${repo.owner}/${repo.name}/check-runs/${id}`;
  const steps = stepsOf(run, repo.jobLogs.get(id) ?? "");
  return { status: 200, body: { id, name, head_sha: sha, status, conclusion, check_run_url, steps } };
}

const STAMPS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/gm;

/** One step that printed the whole log, within the seconds of its lines. */
function stepsOf({ status, conclusion, started_at, completed_at }: CheckRun, log: string): Fields[] {
  const stamps = log.match(STAMPS) ?? [];
  const second = (stamp: string | undefined) => stamp && `${stamp.slice(0, 19)}Z`;
  return [
    {
      name: "Run tests",
      number: 1,
      status,
      conclusion,
      started_at: second(stamps[0]) ?? started_at,
      completed_at: second(stamps.at(-1)) ?? completed_at,
    },
  ];
}

async function suitesOf(call: Call): Promise<Answer> {
  const { state, repo, params } = call;
  const sha = await repo.bare.resolve(`${params.ref}^{commit}`);
  if (sha === undefined) return failure(422, `No commit found for SHA: ${params.ref}`);
  const suites = repo.suites.filter((suite) => suite.sha === sha);
  const page = paginate(call, await Promise.all(suites.map((suite) => renderSuite(state, repo, suite))));
  return { ...page, body: { total_count: suites.length, check_suites: page.body } };
}
