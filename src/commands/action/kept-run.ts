import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { MagisError } from "../../data/error.ts";
import { issueOfPull } from "../../data/marks.ts";
import type { KeptStart, RecordParts } from "../../data/run-record.ts";
import { type Delivery, type RunRequest, repositoryName, runId } from "../../data/run-request.ts";
import type { RunResult, RunState } from "../../data/run-state.ts";
import type { CodeHost } from "../../github/code-host.ts";
import { keepSpending, type Spent, withSpending } from "../../report/issue-spending.ts";
import type { RunDependencies } from "../../run/open-run.ts";
import type { RunStore } from "../../run/runs.ts";
import type { Environment } from "../../settings/environment/read-config.ts";
import { LARGEST_RECORD, parseJson } from "../../text/bounded.ts";
import type { LocalDependencies } from "../../workflow/dry-run/job.ts";
import type { ActionWork } from "./job-runner.ts";
import type { ActionAnswer } from "./job-summary.ts";

/** A run's progress, for the next step of the job when the process is killed. */
interface Kept {
  request: RunRequest;
  state?: RunState;
  start?: KeptStart;
  /** what was taken back already */
  undone?: RecordParts["undone"];
  /** it has ended */
  done: boolean;
}

const PRIVATE = 0o600;

const fileIn = ({ RUNNER_TEMP: folder }: Environment) => folder && path.join(folder, "magis-run.json");

/**
 * Does a run by `perform`, and keeps how far it is in the job's own folder, if there is one. Marks on its comment what
 * it spends, and when the job is cancelled takes back what it has published.
 * @param before what earlier jobs have spent on the issue
 */
export async function performKept(
  request: RunRequest,
  { local, before }: { local: LocalDependencies; before: Spent },
  work: ActionWork,
  perform: (deps: RunDependencies) => Promise<RunResult>,
): Promise<ActionAnswer> {
  const file = fileIn(work.environment);
  let kept: Kept = { request, done: false };
  const keep = (more: Partial<Kept>) => {
    kept = { ...kept, ...more };
    if (file) writeFileSync(file, JSON.stringify(kept), { mode: PRIVATE });
  };
  keep({});
  const { store } = local;
  const keeping: RunStore = {
    ...store,
    spentOn: async (...asked) => before.money + (await store.spentOn(...asked)),
    async openWriter(...asked) {
      const writer = await store.openWriter(...asked);
      return {
        before: writer.before,
        async saveState(state) {
          await writer.saveState(state);
          keep({ state });
        },
        async saveRecord(part, value) {
          await writer.saveRecord(part, value);
          if (part === "start" || part === "undone") keep({ [part]: value });
        },
      };
    },
  };
  const spent = () => spentIn(kept);
  const host = withSpending(work.host, request.root, spent);
  const result = await perform({ ...local, store: keeping, openCodeHost: async () => host });
  if (work.signal.aborted && result.kind !== "published") return { ...(await endLeftRun(request, work)), result };
  await keepOnIssue(request, work.host, spent());
  keep({ done: true });
  return { result, said: [], state: kept.state };
}

const spentIn = ({ state }: Kept): Spent => state?.spend ?? { money: 0, tokens: 0 };

/** Work on a pull request has no comment on the issue whose budget it uses. */
async function keepOnIssue(request: RunRequest, host: CodeHost, spent: Spent): Promise<void> {
  if (request.work.kind !== "resolve") await keepSpending(host, await issueOf(request, host), request.root, spent);
}

/** The issue of a run, whose budget it uses. */
export async function issueOf({ work, issue }: RunRequest, host: CodeHost): Promise<number> {
  return work.kind === "resolve" ? issue : (issueOfPull(await host.readPullRequest(issue)) ?? issue);
}

/** For a job whose run has ended, or never began. */
export const NOTHING_LEFT: ActionAnswer = { said: ["The run has ended, or it never began."] };

/** The progress of a run that this job began and did not end; undefined when it ended, or never began. */
export function leftRun(environment: Environment): Kept | undefined {
  const file = fileIn(environment);
  if (!file || !existsSync(file)) return undefined;
  const read = parseJson(readFileSync(file, "utf8"), LARGEST_RECORD);
  if (read.fault !== undefined) {
    throw new MagisError("CONFIGURATION_INVALID", `Cannot read what is kept of the run: ${read.fault}.`);
  }
  const kept = read.value as Kept;
  return kept.done ? undefined : kept;
}

/**
 * Takes back what an interrupted run of this job has published, and reports its end. Does nothing when the run ended,
 * or never began. Throws what the host throws.
 */
async function endLeftRun(request: RunRequest, work: ActionWork): Promise<ActionAnswer> {
  const left = leftRun(work.environment);
  if (!left) return NOTHING_LEFT;
  const { host } = work;
  // Loaded only here, because most runs do end.
  const { openJobRunner } = await import("./job-runner.ts");
  const { openRun } = await import("../../run/open-run.ts");
  const { cleanUp } = await import("../../publish/clean-up.ts");
  // The signal that ended the run must not end this.
  const local = await openJobRunner({ ...work, signal: new AbortController().signal });
  const { root } = request;
  // Its comment is found by its mark: whatever wrote the file may name anybody's.
  const { saveState, saveRecord } = await local.store.openWriter(root);
  if (left.state) await saveState({ ...left.state, comment: undefined });
  if (left.start) await saveRecord("start", left.start);
  if (left.undone) await saveRecord("undone", left.undone);
  const spent = spentIn(left);
  const marked = withSpending(host, root, () => spent);
  const tools = await openRun(request, { ...local, openCodeHost: async () => marked }, "again");
  const clean = await cleanUp(tools, { kind: "cancelled", by: "", undone: [] });
  const { undone = [] } = clean.kind === "cancelled" ? clean : {};
  const taken = undone.length === 0 ? "Nothing was written to the repository." : `Taken back: ${undone.join(", ")}.`;
  const message = `The job was cancelled or ended before it finished. ${taken}`;
  await tools.tracker.end({ kind: "failed", code: "JOB_ENDED", message });
  await keepOnIssue(request, host, spent);
  tools.close();
  writeFileSync(fileIn(work.environment) as string, JSON.stringify({ ...left, done: true }), { mode: PRIVATE });
  const state = tools.tracker.state();
  return { said: [message], state };
}

/** The same in a later step of the job, whose `delivery` is all that it knows. */
export async function endRunOfJob(delivery: Delivery, work: ActionWork): Promise<ActionAnswer> {
  const left = leftRun(work.environment);
  if (!left) return NOTHING_LEFT;
  const isOwn = await isOfThisJob(left.request, delivery, work.host);
  return isOwn ? endLeftRun(left.request, work) : { said: ["The kept run is not the one of this job."] };
}

/**
 * Whether a kept run is what this job's delivery began. The file may have been written by code that ran in the job, and
 * whatever it names is taken back.
 */
async function isOfThisJob(
  { id, root, repository, issue }: RunRequest,
  { id: delivery, trigger, ...own }: Delivery,
  host: CodeHost,
): Promise<boolean> {
  if (repositoryName(repository) !== repositoryName(own.repository)) return false;
  if (id !== runId(own.repository, issue, delivery) || root !== id) return false;
  if (trigger.kind !== "checks") return issue === own.issue;
  // Checks name a branch, and the run is on its pull request.
  const { branch, byApp } = await host.readPullRequest(issue);
  return byApp && branch === trigger.branch;
}
