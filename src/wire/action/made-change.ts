import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createRunStore } from "../../adapters/in-memory.ts";
import type { ActionAnswer } from "../../cli/action-command.ts";
import { MagisError } from "../../model/error.ts";
import type { MadePlan } from "../../model/plan.ts";
import { readRun, type ShownRun } from "../../model/read-record.ts";
import type { RunRecord } from "../../model/run-record.ts";
import { type RunRequest, repositoryName } from "../../model/run-request.ts";
import type { RunResult } from "../../model/run-state.ts";
import type { Work } from "../../model/work.ts";
import type { Repository } from "../../ports/repository.ts";
import type { RunStore } from "../../ports/runs.ts";
import { createPathGuard } from "../../workflow/change/path-guard.ts";
import type { PathPolicy } from "../../workflow/change/path-policy.ts";
import { changedFiles, createWorkingCopy } from "../../workflow/change/working-copy.ts";
import { type LocalCheck, saidOf } from "../../workflow/dry-run/check-work.ts";
import { resolveLocally } from "../../workflow/dry-run/dry-run.ts";
import { publishChange } from "../../workflow/publish/publish-change.ts";
import { rollback } from "../../workflow/publish/rollback.ts";
import { failureResult } from "../../workflow/run/ends.ts";
import { openRunTools } from "../../workflow/run/open-run.ts";
import { type PhaseRunner, passingSteps, runPhases } from "../../workflow/run/phase-runner.ts";
import { type RunTools, runReport } from "../../workflow/run/run-tools.ts";
import { snapshotIssue } from "../../workflow/run/snapshot-issue.ts";
import { startRun } from "../../workflow/run/start.ts";
import { type ActionWork, localCheck, NO_MODEL, openJobRunner } from "../local-runner.ts";
import { createRunFile, endLeftRun, withSpending } from "./kept-run.ts";

const NOT_IN_TWO_JOBS =
  "Reviews and checks are answered in the form with one job only: what they ask for needs the model and the token together.";

/** The first job: reads GitHub, asks the model, and leaves the record with the change, and the patch for people, in a folder. */
export async function makeChange(request: RunRequest, work: ActionWork): Promise<ActionAnswer> {
  if (request.work.kind !== "resolve") return { said: [NOT_IN_TWO_JOBS] };
  const { host, signal, log } = work;
  const { id, repository, requestedAt, settings } = request;
  const [shown, comments] = [await host.readIssue(request.issue), await host.listComments(request.issue)];
  const issueFrom = (from: Parameters<typeof snapshotIssue>[3]) => snapshotIssue(request, shown, comments, from);
  const check = checkIn(work);
  const job = {
    id,
    repository,
    name: repositoryName(repository),
    requestedAt,
    issueFrom,
    check: () => check,
    issue: await issueFrom("maintainers"),
    source: { url: host.cloneUrl, commit: (await baseOf(request, host)).commit, token: () => host.cloneToken() },
    readOwnerFile: (other: string, file: string) => host.readFile(other, file),
    ...(settings && { chosen: { budget: settings.budget } }),
  };
  const local = await openJobRunner(work);
  const { result, patch, report } = await resolveLocally(job, local, signal).catch(async (error: unknown) => {
    if (signal.aborted) throw error;
    // The job that publishes tells the issue what became of it, and wants the record for that.
    const facts = { id, repository: job.name, number: request.issue, title: job.issue.title, requestedAt };
    return {
      result: failureResult(error, "locate", log),
      patch: new Uint8Array(),
      report: await runReport(local.store, facts),
    };
  });
  const folder = folderOf(work);
  await mkdir(folder, { recursive: true });
  const text = JSON.stringify(report, undefined, 2);
  await writeFile(path.join(folder, RECORD), text);
  await writeFile(path.join(folder, "change.patch"), patch);
  const left = { patch: Buffer.from(patch).toString("utf8"), digest: digestOf(text) };
  return { result, said: [], ...left, ...(report.state && { state: report.state }) };
}

/** The check that the workflow has chosen, with what is installed in the job's checkout. */
export function checkIn({ config, environment, signal, progress }: ActionWork): LocalCheck | undefined {
  const { command } = config.check;
  const { GITHUB_WORKSPACE: beside } = environment;
  const place = beside && existsSync(beside) ? { beside } : {};
  return command === undefined
    ? undefined
    : localCheck(command, { config, environment, signal, warn: progress, ...place });
}

const RECORD = "record.json";

const MAX_RECORD = 50_000_000;

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** The artifact's folder is the runner's, and not a checkout's. */
function folderOf({ environment: { INPUT_CHANGE: folder, RUNNER_TEMP: temporary } }: Pick<ActionWork, "environment">) {
  if (folder) return path.resolve(folder);
  if (temporary) return path.join(temporary, "magis-change");
  throw new MagisError("CONFIGURATION_INVALID", "INPUT_CHANGE is missing: name the folder of the change.");
}

async function baseOf({ settings }: RunRequest, host: ActionWork["host"]) {
  const branch = settings?.baseBranch;
  if (branch === undefined) {
    const { name, commit } = await host.defaultBranch();
    return { branch: name, commit };
  }
  const commit = await host.branchTip(branch);
  if (commit !== undefined) return { branch, commit };
  throw new MagisError("HOST_NOT_FOUND", `There is no branch ${branch}, which the configuration names.`);
}

/**
 * The second job: publishes what the first has left, and asks no model. The record is what the first job's output says it is,
 * belongs to this issue, stands on a commit of the base branch, and changes only what the guards allow; else it is refused.
 */
export async function publishMade(request: RunRequest, work: ActionWork): Promise<ActionAnswer> {
  if (request.work.kind !== "resolve") return { said: [NOT_IN_TWO_JOBS] };
  const { environment, host, log, signal } = work;
  const made = await readMade(request, work);
  const local = await openJobRunner(work, {
    store: await storeWith(made.calls, request.root),
    model: NO_MODEL,
  });
  const file = createRunFile(request, local.store, environment);
  const marked = withSpending(host, request.root, () => file.state()?.spend ?? { money: 0, tokens: 0 });
  const deps = { ...local, store: file.store, openCodeHost: async () => marked };
  const tools = await openRunTools(request, deps);
  try {
    const kind = { phases: (run: PhaseRunner) => publish(run, request, made.record, made.end) };
    const result = await runPhases(kind, { open: async () => tools, step: passingSteps(signal), log, signal });
    if (signal.aborted && result.kind !== "published") return { ...(await endLeftRun(request, work)), result };
    file.done();
    return { result, said: [], state: tools.tracker.state() };
  } finally {
    tools.close();
  }
}

/** A store in which the first job's calls count towards the cost. They are over: nothing tells of them as they come in. */
async function storeWith(calls: ShownRun["calls"], root: string): Promise<RunStore> {
  const { store } = createRunStore();
  for (const { promptId, tokens, money, elapsed } of calls) {
    await store.recordCall(root, {
      key: "",
      promptId,
      tier: "strong",
      failure: "made before",
      tokens: amount(tokens),
      money: amount(money),
      elapsed: amount(elapsed),
    });
  }
  return store;
}

const amount = (value: unknown) => (typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0);

async function readMade({ issue, repository, id }: RunRequest, work: ActionWork) {
  const text = await readFile(path.join(folderOf(work), RECORD)).catch((error: unknown) => {
    throw refused("The record of the first job is not there.", error);
  });
  if (text.length > MAX_RECORD) throw refused("The record of the first job is too large.");
  const expected = work.environment.INPUT_DIGEST ?? "";
  if (digestOf(text.toString("utf8")) !== expected) {
    throw refused(
      "The record is not the one that the first job has made: its SHA-256 is not that of the job's output.",
    );
  }
  const run = readRun(JSON.parse(text.toString("utf8")));
  if (
    run?.repository !== repositoryName(repository) ||
    run.number !== issue ||
    run.id.split("@")[0] !== id.split("@")[0]
  ) {
    throw refused("The record is about another issue.");
  }
  return { ...run, end: endOf(run) };
}

const refused = (message: string, cause?: unknown) => new MagisError("CONFIGURATION_INVALID", message, {}, cause);

/** What the first job came to where that is no change; undefined where it made one. */
function endOf({ state, record }: ShownRun): RunResult | undefined {
  const result = state?.result;
  const { kind, reason = "" } = result ?? {};
  if (kind === "dry-run" && record.check?.end !== "red") return undefined;
  if (kind === "gave-up" || kind === "nothing-to-change") return { kind, reason };
  const message = "The job that makes the change ended without one: its summary says why.";
  return { kind: "failed", code: "NOTHING_MADE", message };
}

async function publish(
  run: PhaseRunner,
  request: RunRequest,
  { start: made, plan, work: kept, description, check }: RunRecord,
  end: RunResult | undefined,
): Promise<RunResult> {
  const start = await run.step("start", (tools) => startRun(request, tools, () => rollback(request, tools)));
  if ("refused" in start) return { kind: "refused", reason: start.refused };
  if (end) return end;
  if (!made || !plan || !kept) return { kind: "refused", reason: "The record holds no change." };
  const base = { branch: start.base.branch, commit: made.base.commit };
  const isThere = await run.step("base", ({ host }) => isPart(base.commit, start.base.commit, host));
  if (!isThere)
    return { kind: "refused", reason: `The change was made for a commit that is not part of ${base.branch}.` };
  const { issue } = start;
  // The words of this version, which has written it; what another wrote would be shown as it is, and nothing more.
  const work = { ...kept, patch: "" } as Work;
  const words = description ?? plan.description;
  const checked = check && { said: saidOf(check), passed: check.end === "green" };
  return run.phase("publish", base, async (tools) => {
    await showPhases(tools, work);
    const why = await whyNot(work, tools);
    if (why !== undefined) return { kind: "refused", reason: why };
    const patch = await patchOf(work, tools.repository);
    const { pullRequest, openThreads } = await publishChange({
      ...tools,
      request,
      issue,
      base,
      plan: { ...plan, ...(words && { description: words }) } as MadePlan,
      work: { ...work, patch },
      ...(checked && { checked }),
    });
    return { kind: "published", pullRequest, openThreads, ...(checked && { checked: checked.said }) };
  });
}

const isPart = async (commit: string, tip: string, host: Pick<RunTools["host"], "isAncestor">) =>
  /^[0-9a-f]{40}$/.test(commit) && (commit === tip || (await host.isAncestor(commit, tip)));

/** What the first job has done, as the tracking comment shows it. */
async function showPhases({ tracker }: Pick<RunTools, "tracker">, { outcomes }: Work): Promise<void> {
  const tasks = outcomes.map(({ taskId, path: file, summary, status }) => ({
    id: taskId,
    path: file,
    title: summary,
    status,
  }));
  await tracker.tasks(tasks);
  for (const phase of ["locate", "plan", "code"] as const) await tracker.finish(phase);
}

interface Guarded {
  readonly repository: Repository;
  readonly policy: PathPolicy;
}

const ACTION = { modify: "modify", create: "create", delete: "delete" } as const;

/** Why a change of the record may not be published: the guards that held when it was made are asked again. */
async function whyNot({ changes }: Work, { repository, policy }: Guarded): Promise<string | undefined> {
  if (changes.length === 0) return "The record holds no change.";
  const guard = await createPathGuard(repository, policy);
  const seen = new Set<string>();
  for (const { kind, path: file } of changes) {
    const refusal = guard({ path: file, action: ACTION[kind] });
    if (refusal) return `The record changes ${refusal.path}, and ${refusal.reason}.`;
    if (seen.has(file)) return `The record changes ${file} twice.`;
    seen.add(file);
  }
  return undefined;
}

/** The patch is made anew: what the record says of it is not read. */
async function patchOf({ changes }: Work, repository: Repository): Promise<string> {
  const copy = createWorkingCopy(repository);
  for (const { path: file, after } of await changedFiles(changes, repository)) copy.write(file, after);
  return copy.patch();
}
