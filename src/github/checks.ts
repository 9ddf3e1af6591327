import type { RestEndpointMethodTypes } from "@octokit/rest";
import { ACTIONS, checkKey } from "../data/checks.ts";
import { hasBusySuite, listWorkflowRuns, type WorkflowRun, whyNotAllowed } from "./actions.ts";
import type { Annotation, Check, CheckReport, CommitRuns } from "./code-host.ts";
import { attempt } from "./errors.ts";
import type { GithubRepository } from "./repository.ts";

export async function checksOf(github: GithubRepository, commit: string): Promise<readonly Check[]> {
  return worstOfEach(await listChecks(github, commit));
}

export async function runsOf(github: GithubRepository, commit: string): Promise<CommitRuns> {
  return { checks: await listChecks(github, commit), unfinished: await hasBusySuite(github, commit) };
}

export function annotationsOf(
  { client, owner, repo }: GithubRepository,
  checkRunId: number,
): Promise<readonly Annotation[]> {
  return attempt("read the annotations of a check", async () => {
    const query = { owner, repo, check_run_id: checkRunId, per_page: 100 };
    const rows = await client.paginate(client.rest.checks.listAnnotations, query);
    return rows.map((row) => ({
      path: row.path,
      startLine: row.start_line,
      endLine: row.end_line,
      level: levelOf(row.annotation_level),
      message: [row.title, row.message].filter(Boolean).join(": "),
    }));
  });
}

function levelOf(level: string | null): Annotation["level"] {
  return level === "failure" || level === "warning" ? level : "notice";
}

/**
 * Which of several runs of a check counts: a check has finished when all its runs have, and passed when none failed.
 */
const WEIGHT: Readonly<Record<Check["state"], number>> = { pending: 3, failed: 2, passed: 1, neutral: 0 };

/** When a check runs several times, such as for the push and for the pull request, the worst run counts. */
function worstOfEach(checks: readonly Check[]): readonly Check[] {
  const worst = new Map<string, Check>();
  for (const check of checks) {
    const key = `${check.byApp} ${checkKey(check)}`;
    const known = worst.get(key);
    if (known === undefined || WEIGHT[check.state] > WEIGHT[known.state]) worst.set(key, check);
  }
  return [...worst.values()];
}

/** Every latest check run and commit status of a commit, and the workflows that will add more. */
async function listChecks(repository: GithubRepository, commit: string): Promise<readonly Check[]> {
  const { client, appId, owner, repo } = repository;
  const checks = await attempt(`read the checks of ${commit}`, async () => {
    const query = { owner, repo, ref: commit, filter: "latest", per_page: 100 } as const;
    const runs = await client.paginate(client.rest.checks.listForRef, query);
    return [...runs.map((run) => toCheck(run, appId)), ...(await listStatuses(repository, commit))];
  });
  const workflows = await listWorkflowRuns(repository, commit);
  const paths = new Map(workflows.map(({ id, path }) => [id, path]));
  const known = checks.map((check) => {
    const workflow = paths.get(check.runId ?? -1);
    return workflow === undefined ? check : { ...check, workflow };
  });
  return [...known, ...workflows.flatMap((run) => ownCheck(run, checks) ?? [])];
}

/**
 * A check for a workflow run whose jobs do not show its state: between two stages all existing jobs have ended, and a
 * run that waits for a person, or that nobody may start, has none.
 */
function ownCheck(
  { id, path, name, url, because, hasEnded }: WorkflowRun,
  checks: readonly Check[],
): Check | undefined {
  if (hasEnded && because === undefined) return undefined;
  const jobs = checks.filter(({ runId }) => runId === id);
  const isShown = because === "not-allowed" ? jobs.length > 0 : jobs.some(({ state }) => state === "pending");
  if (isShown) return undefined;
  const what = { app: ACTIONS, workflow: path, name, runId: id };
  return { ...what, state: "pending", because, byApp: false, summary: "", url };
}

const PAGE = 100;

const STATE_BY_STATUS: Readonly<Record<string, Check["state"]>> = {
  success: "passed",
  failure: "failed",
  error: "failed",
  pending: "pending",
};

/**
 * The latest commit status of each context. None is the app's, which makes only check runs. Throws as the client does.
 */
async function listStatuses(repository: GithubRepository, commit: string): Promise<readonly Check[]> {
  const { client, owner, repo } = repository;
  const checks: Check[] = [];
  for (let page = 1; ; page++) {
    // The client's own paging does not recognise the list in this answer.
    const query = { owner, repo, ref: commit, per_page: PAGE, page };
    const { statuses } = (await client.rest.repos.getCombinedStatusForRef(query)).data;
    for (const { context, state, description, target_url } of statuses) {
      checks.push({
        name: context,
        state: STATE_BY_STATUS[state] ?? "pending",
        byApp: false,
        summary: description ?? "",
        url: target_url ?? "",
      });
    }
    if (statuses.length < PAGE) return checks;
  }
}

type CheckRun = RestEndpointMethodTypes["checks"]["get"]["response"]["data"];

/**
 * What a conclusion says about the commit. `cancelled` and `stale` say nothing: a person or a failed sibling stopped
 * the check, or it never finished. `action_required` waits for a person, so it has not finished.
 */
const STATE_BY_CONCLUSION: Readonly<Record<string, Check["state"]>> = {
  success: "passed",
  neutral: "neutral",
  skipped: "neutral",
  cancelled: "neutral",
  stale: "neutral",
  failure: "failed",
  timed_out: "failed",
  startup_failure: "failed",
  action_required: "pending",
};

const BECAUSE: ReadonlyMap<string, NonNullable<Check["because"]>> = new Map([
  ["cancelled", "cancelled"],
  ["stale", "cancelled"],
  ["timed_out", "timed-out"],
  ["skipped", "skipped"],
  ["action_required", "waiting"],
]);

const STOPPED: ReadonlySet<string> = new Set(["cancelled", "stale"]);

/** GitHub's check run in the port's terms. */
function toCheck(run: CheckRun, appId: number | undefined): Check {
  const { title, summary } = run.output;
  const isOfActions = run.app?.slug === ACTIONS;
  const ids = isOfActions ? idsIn(run.details_url) : undefined;
  const said = [title, summary].filter(Boolean).join("\n\n");
  const because = (isOfActions && whyRefused(run, said)) || whyIdle(run);
  const milliseconds = Date.parse(run.completed_at ?? "") - Date.parse(run.started_at ?? "");
  return {
    checkRunId: run.id,
    ...ids,
    app: run.app?.slug || undefined,
    name: run.name,
    state: stateOf(run, because),
    stopped: STOPPED.has(run.conclusion ?? "") || undefined,
    because,
    seconds: milliseconds >= 0 ? Math.round(milliseconds / 1000) : undefined,
    byApp: appId !== undefined && run.app?.id === appId,
    summary: said,
    url: run.html_url ?? run.details_url ?? "",
  };
}

/** When tests ran, nobody was refused to start them, whatever they print. */
const whyRefused = ({ conclusion }: CheckRun, said: string) =>
  conclusion === "success" ? undefined : whyNotAllowed(said);

const whyIdle = ({ status, conclusion }: CheckRun) =>
  status === "waiting" ? "waiting" : BECAUSE.get(conclusion ?? "");

/** A run that nobody may start is not a failure of the code: it waits for whoever can allow it. */
function stateOf({ status, conclusion }: CheckRun, because: Check["because"]): Check["state"] {
  if (status !== "completed" || because === "not-allowed") return "pending";
  return STATE_BY_CONCLUSION[conclusion ?? ""] ?? "neutral";
}

function idsIn(url: string | null): { jobId: number; runId: number } | undefined {
  const [, runId, jobId] = /\/actions\/runs\/(\d+)\/jobs?\/(\d+)/.exec(url ?? "") ?? [];
  return jobId === undefined ? undefined : { jobId: Number(jobId), runId: Number(runId) };
}

/**
 * Creates or updates the app's check run of that name on `head`, never a second one. Does nothing without an app,
 * because only apps may make check runs.
 */
export async function reportCheck(repository: GithubRepository, head: string, report: CheckReport): Promise<void> {
  const { client, appId, owner, repo } = repository;
  if (appId === undefined) return;
  const { checks } = client.rest;
  const { name, status, conclusion = "neutral" } = report;
  return attempt(`report the check ${name}`, async () => {
    const output = { title: report.title, summary: report.summary };
    const shown = { owner, repo, name, details_url: report.page, output };
    const state = status === "completed" ? ({ status, conclusion } as const) : { status };
    const id = await findOwn(repository, appId, head, name);
    await (id === undefined
      ? checks.create({ ...shown, ...state, head_sha: head })
      : checks.update({ ...shown, ...state, check_run_id: id }));
  });
}

async function findOwn(
  { client, owner, repo }: GithubRepository,
  appId: number,
  head: string,
  name: string,
): Promise<number | undefined> {
  const query = { owner, repo, ref: head, check_name: name, app_id: appId, filter: "latest", per_page: 100 } as const;
  const { data } = await client.rest.checks.listForRef(query);
  return data.check_runs.find((run) => run.app?.id === appId && run.name === name)?.id;
}
