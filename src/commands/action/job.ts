import { createRunStore } from "../../app/in-memory.ts";
import { ACTIONS } from "../../data/checks.ts";
import { isMagisError } from "../../data/error.ts";
import type { Log } from "../../data/log.ts";
import { readRecord } from "../../data/read-record.ts";
import type { Delivery, RunRequest } from "../../data/run-request.ts";
import { DEFAULT_SETTINGS } from "../../data/setting-definitions/all-settings.ts";
import type { Check, CodeHost } from "../../github/code-host.ts";
import { CHECK_NAME } from "../../report/check-report.ts";
import { type Spent, spentOn } from "../../report/issue-spending.ts";
import { passingSteps } from "../../run/phase-runner.ts";
import { operatorLimits } from "../../settings/environment/operator.ts";
import type { Environment } from "../../settings/environment/read-config.ts";
import { hideSecrets } from "../../text/hide-secrets.ts";
import { createAdmission } from "../../webhooks/admission/admit.ts";
import { limitToIssue } from "../../webhooks/admission/issue-budget.ts";
import { createSettingsReader } from "../../webhooks/admission/settings.ts";
import { createRunHandlers } from "../../workflow/perform-run.ts";
import { openTokenHost } from "../hosted-job.ts";
import { type ActionWork, openJobRunner } from "./job-runner.ts";
import type { ActionAnswer, ActionMode } from "./job-summary.ts";
import { endRunOfJob, issueOf, performKept } from "./kept-run.ts";
import { checkIn, makeChange, publishMade } from "./made-change.ts";

interface Job extends Omit<ActionWork, "host" | "log"> {
  mode: ActionMode;
  /** only report the end of an interrupted run */
  ended: boolean;
}

/** Carries out a delivery in a job. Throws what the host throws, CONFIGURATION_INVALID and PROMPT_INVALID. */
export async function performJob(delivery: Delivery, job: Job): Promise<ActionAnswer> {
  const { mode, ended, config, environment, signal, progress, fault } = job;
  const log = quietLog(progress, signal);
  // A job that only reads acts as the bot whose job writes.
  const login = (mode === "make" && environment.INPUT_BOT) || undefined;
  const host = asInJob(await openTokenHost(config, log, login)(delivery.repository), environment);
  const work = { config, environment, host, log, signal, progress, fault };
  if (ended) return endRunOfJob(delivery, work);

  const readOnly = mode === "make" ? silentHost(host) : { host, said: [] };
  const admitted = await admit(delivery, { ...work, host: readOnly.host });
  if ("said" in admitted) return { said: [...admitted.said, ...readOnly.said] };
  const { request } = admitted;
  const before = await spentOn(host, await issueOf(request, host));
  if (mode === "publish") return publishMade(request, before, work);
  const limited = limitToIssue(request, before, config.budget);
  if ("refused" in limited) return { said: [limited.refused] };
  return mode === "make" ? makeChange(limited.request, work) : resolve(limited.request, before, work);
}

function quietLog(progress: (line: string) => void, signal: AbortSignal): Log {
  const tell = (data: object, message: string) => {
    if (signal.aborted) return;
    const reasons = "error" in data ? causesOf(data.error) : [];
    progress([`    ${message}`, ...reasons.map((reason) => `      ${reason}`)].join("\n"));
  };
  return { info: () => undefined, warn: tell, error: tell };
}

/** An error and what caused it, a line each; with the place in the program where nobody expected it. */
function causesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const isExpected = isMagisError(error);
  const said = isExpected ? `${error.message} (${error.code})` : (error.stack ?? String(error));
  const lines = hideSecrets(said)
    .split("\n")
    .map((line) => line.trim());
  return [...lines, ...causesOf(error.cause)];
}

/** Adds what the token cannot tell: that GitHub makes a bot's commits, and which checks are the job's own. */
function asInJob({ author, ...host }: CodeHost, environment: Environment): CodeHost {
  return {
    ...host,
    author: host.login.endsWith("[bot]") ? undefined : author,
    checksOf: async (commit) =>
      (await host.checksOf(commit)).map((check) => (isOwn(check, environment) ? { ...check, byApp: true } : check)),
  };
}

/** Whether a check is this job, another run of it, or the app's, if that works here, too. */
function isOwn({ name, app, workflow, runId }: Check, environment: Environment): boolean {
  const { GITHUB_JOB: job, GITHUB_RUN_ID: run, GITHUB_WORKFLOW_REF: ref = "" } = environment;
  if (app !== ACTIONS) return app !== undefined && name === CHECK_NAME;
  const isElsewhere = ref !== "" && workflow !== undefined && !ref.includes(`/${workflow}@`);
  return String(runId) === run || (name === job && !isElsewhere);
}

/** A read-only host, whose comments go to the job's summary instead. */
function silentHost(host: CodeHost): { host: CodeHost; said: readonly string[] } {
  const said: string[] = [];
  const createComment: CodeHost["createComment"] = async (_, body) => {
    said.push(body);
    const at = new Date(0).toISOString();
    return { id: 0, nodeId: "", author: host.login, byBot: true, body, createdAt: at, updatedAt: at };
  };
  return { host: { ...host, createComment, react: async () => undefined }, said };
}

type Admitted = { request: RunRequest } | { said: readonly string[] };

/** Applies the app's guards to one job, which cannot know of other runs. */
async function admit(delivery: Delivery, { host, config, log }: ActionWork): Promise<Admitted> {
  const { store } = createRunStore();
  const reasons: string[] = [];
  const { label, allowedBots, skipLabels } = DEFAULT_SETTINGS;
  const decide = createAdmission({
    store,
    label,
    allowedBots,
    skipLabels,
    budget: config.budget,
    openCodeHost: async () => host,
    audit: (entry) => {
      if (entry.what === "request" && entry.reason !== undefined) reasons.push(entry.reason);
    },
    log: {
      ...log,
      info: (data) => {
        if ("faults" in data) reasons.push("The repository's configuration has faults.");
      },
    },
    readSettings: createSettingsReader(operatorLimits(config)),
    queue: {
      unfinished: async () => [],
      place: async () => ({ ahead: 0 }),
      unadmitted: async () => [],
    },
  });
  const decision = await decide(delivery);
  if (!decision || !("start" in decision)) {
    return { said: reasons.length > 0 ? reasons : ["Nothing here asks the bot for work."] };
  }
  const { work } = decision.start;
  if (work.kind === "resolve" && work.gate === "plan") {
    return {
      said: ["Plans need approval here (`approval: required`), which the app can wait for and the Action cannot."],
    };
  }
  return { request: decision.start };
}

/** Does the whole run in this job. `before`: what earlier jobs have spent on the issue. */
async function resolve(request: RunRequest, before: Spent, work: ActionWork): Promise<ActionAnswer> {
  const { signal } = work;
  const { check, fault } = request.work.kind === "resolve" ? checkIn(work) : { fault: work.fault };
  const local = await openJobRunner({ ...work, fault });
  const answer = await performKept(request, { local, before }, work, (deps) => {
    const patience = { graceMs: 0, clock: () => performance.now() };
    const handlers = createRunHandlers({ ...deps, once: { signal, check }, patience });
    return handlers.resolve(request, passingSteps(signal), async () => undefined);
  });
  if (answer.result?.kind !== "dry-run") return answer;
  const { work: made } = readRecord(await local.store.record(request.root));
  return { ...answer, patch: made?.patch };
}
