import { failure, paginate } from "../front/answers.ts";
import type { Answer, Call, CheckRun, Route } from "../state.ts";
import { renderCheckRun, saveCheckRun, suiteOf } from "./check-runs.ts";

/** Check runs and the logs of Actions jobs. */
export function checkRoutes(): Route[] {
  const R = "/repos/{owner}/{repo}";
  return [
    ["POST", `${R}/check-runs`, create],
    ["PATCH", `${R}/check-runs/{id}`, update],
    ["GET", `${R}/check-runs/{id}/annotations`, annotations],
    ["GET", `${R}/commits/{ref+}/check-runs`, runsOf],
    ["GET", `${R}/actions/jobs/{job}/logs`, jobLog],
  ];
}

const find = ({ repo, params }: Call) => repo.checks.find(({ id }) => String(id) === params.id);

/** A check run with the request's changes; a conclusion ends it, another status reopens it. */
function changed(known: CheckRun, { body }: Call): CheckRun | Answer {
  const { name = known.name, conclusion: given, details_url = known.details_url, output } = body as Partial<CheckRun>;
  const status = given === undefined ? (body.status ?? known.status) : "completed";
  const done = status === "completed";
  const conclusion = done ? (given ?? known.conclusion) : null;
  if (done && conclusion === null) return failure(422, "conclusion is required when status is completed");
  const completed_at = done ? (known.completed_at ?? new Date().toISOString()) : null;
  const shown = { ...known.output, ...output };
  return { ...known, name, details_url, status: String(status), conclusion, completed_at, output: shown };
}

async function create(call: Call): Promise<Answer> {
  const { state, repo, body } = call;
  const sha = await repo.bare.resolve(`${String(body.head_sha)}^{commit}`);
  if (sha === undefined) return failure(422, `No commit found for SHA: ${String(body.head_sha)}`);
  const run: CheckRun = {
    id: state.nextId(),
    sha,
    suite: suiteOf(state, repo, { id: state.app.id, slug: state.app.slug, name: state.app.slug.toUpperCase() }, sha),
    name: "",
    status: "queued",
    conclusion: null,
    started_at: new Date().toISOString(),
    completed_at: null,
    external_id: "",
    details_url: `${state.url}/apps/${state.app.slug}`,
    output: { title: null, summary: null, text: null },
    annotations: [],
  };
  const made = changed(run, call);
  return "suite" in made ? saved(call, made, 201) : made;
}

async function update(call: Call): Promise<Answer> {
  const known = find(call);
  if (known === undefined) return failure(404, "Not Found");
  if (known.suite.app.id !== call.state.app.id)
    return failure(403, `Invalid app_id \`${known.suite.app.id}\` - check run can only be modified by its own app.`);
  const made = changed(known, call);
  return "suite" in made ? saved(call, made, 200) : made;
}

async function saved({ state, repo }: Call, run: CheckRun, status: number): Promise<Answer> {
  await saveCheckRun(state, repo, run);
  return { status, body: await renderCheckRun(state, repo, run) };
}

async function annotations(call: Call): Promise<Answer> {
  const run = find(call);
  return run === undefined ? failure(404, "Not Found") : paginate(call, run.annotations);
}

/** Lists check runs, newest first; `latest`, the default, keeps one of each name in a suite. */
async function runsOf(call: Call): Promise<Answer> {
  const { state, repo, params, query } = call;
  const sha = await repo.bare.resolve(`${params.ref}^{commit}`);
  if (sha === undefined) return failure(422, `No commit found for SHA: ${params.ref}`);
  const asked = (name: string, value: unknown) => !query.has(name) || query.get(name) === String(value);
  const mine = repo.checks.filter((run) => run.sha === sha).reverse();
  const latest = mine.filter((run) => mine.find(({ suite, name }) => suite === run.suite && name === run.name) === run);
  const wanted = (query.get("filter") === "all" ? mine : latest).filter(
    (run) => asked("check_name", run.name) && asked("status", run.status) && asked("app_id", run.suite.app.id),
  );
  const page = paginate(call, wanted);
  const check_runs = await Promise.all((page.body as CheckRun[]).map((run) => renderCheckRun(state, repo, run)));
  return { ...page, body: { total_count: wanted.length, check_runs } };
}

async function jobLog({ state, repo, params }: Call): Promise<Answer> {
  if (!repo.jobLogs.has(Number(params.job))) return failure(404, "Not Found");
  return { status: 302, headers: { location: `${state.filesUrl}/_logs/${repo.owner}/${repo.name}/${params.job}` } };
}

/** Commit statuses, which emulate lacks. */
export function statusRoutes(): Route[] {
  const R = "/repos/{owner}/{repo}";
  return [["GET", `${R}/commits/{ref+}/status`, combined]];
}

async function combined(call: Call) {
  const { repo, params } = call;
  const sha = await repo.bare.resolve(`${params.ref}^{commit}`);
  if (sha === undefined) return failure(404, "Not Found");
  const rows = repo.statuses.filter((one) => one.sha === sha).map(({ row }) => row);
  const latest = [...new Map([...rows].reverse().map((row) => [row.context, row])).values()];
  const states = latest.map((row) => row.state);
  const bad = states.some((one) => one === "failure" || one === "error");
  const good = states.length > 0 && states.every((one) => one === "success");
  const page = paginate(call, latest);
  const otherwise = good ? "success" : "pending";
  const body = {
    state: bad ? "failure" : otherwise,
    statuses: page.body,
    sha,
    total_count: latest.length,
  };
  return { ...page, body };
}
