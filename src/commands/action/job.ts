import { createRunStore } from "../../app/in-memory.ts";
import { ACTIONS } from "../../data/checks.ts";
import { isMagisError } from "../../data/error.ts";
import type { Log } from "../../data/log.ts";
import { issueOfPull } from "../../data/marks.ts";
import { readRecord } from "../../data/read-record.ts";
import type { Delivery, RunRequest } from "../../data/run-request.ts";
import { DEFAULT_SETTINGS } from "../../data/setting-definitions/all-settings.ts";
import type { Check, CodeHost } from "../../github/code-host.ts";
import { createOpenTokenHost } from "../../github/token-host.ts";
import { CHECK_NAME } from "../../report/check-report.ts";
import { keepSpending, type Spent, spentOn, withSpending } from "../../report/issue-spending.ts";
import { passingSteps } from "../../run/phase-runner.ts";
import type { CommandConfig } from "../../settings/environment/config.ts";
import { operatorLimits } from "../../settings/environment/operator.ts";
import type { Environment } from "../../settings/environment/read-config.ts";
import { hideSecrets } from "../../text/hide-secrets.ts";
import { createAdmission } from "../../webhooks/admission/admit.ts";
import { limitToIssue } from "../../webhooks/admission/issue-budget.ts";
import { createSettingsReader } from "../../webhooks/admission/settings.ts";
import { createRunHandlers } from "../../workflow/perform-run.ts";
import { type ActionWork, openJobRunner } from "./job-runner.ts";
import type { ActionAnswer, ActionMode } from "./job-summary.ts";
import { createRunFile, endLeftRun, endRunOfJob } from "./kept-run.ts";
import { checkIn, makeChange, publishMade } from "./made-change.ts";

interface Job extends Omit<ActionWork, "host" | "log"> {
  readonly mode: ActionMode;
  /** only report the end of an interrupted run */
  readonly ended: boolean;
  readonly token: string;
}

/** Carries out a delivery in a job. Throws what the host throws, CONFIGURATION_INVALID and PROMPT_INVALID. */
export async function performJob(delivery: Delivery, job: Job): Promise<ActionAnswer> {
  const { mode, ended, token, config, environment, signal, progress, fault } = job;
  const log = quietLog(progress, signal);
  const open = openHost(token, config, log, mode === "make" ? environment.INPUT_BOT : undefined);
  const host = asInJob(await open(delivery), environment);
  const work = { config, environment, host, log, signal, progress, fault };
  if (ended) return endRunOfJob(delivery, work);

  const readOnly = mode === "make" ? silentHost(host) : { host, said: [] };
  const admitted = await admit(delivery, { ...work, host: readOnly.host });
  if ("said" in admitted) return { said: [...admitted.said, ...readOnly.said] };
  const { request } = admitted;
  const issue = await issueOf(request, host);
  if (mode === "publish") return publishMade(request, work);
  const before = await spentOn(host, issue);
  const limited = limitToIssue(request, before, config.budget);
  if ("refused" in limited) return { said: [limited.refused] };
  return mode === "make" ? makeChange(limited.request, work) : resolve(limited.request, { issue, before }, work);
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

/** `bot`: for a job that only reads, the login of the job that writes. */
function openHost(token: string, { github }: CommandConfig, log: Log, bot: string | undefined) {
  const { webUrl, apiUrl } = github;
  const quiet = { debug: () => undefined, warn: (_: unknown, message?: string) => message && log.warn({}, message) };
  const open = createOpenTokenHost({ token, webUrl, apiUrl, log: quiet, login: bot || undefined });
  return (delivery: Delivery) => open(delivery.repository);
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
function silentHost(host: CodeHost): { readonly host: CodeHost; readonly said: readonly string[] } {
  const said: string[] = [];
  const createComment: CodeHost["createComment"] = async (_, body) => {
    said.push(body);
    const at = new Date(0).toISOString();
    return { id: 0, nodeId: "", author: host.login, byBot: true, body, createdAt: at, updatedAt: at };
  };
  return { host: { ...host, createComment, react: async () => undefined }, said };
}

type Admitted = { readonly request: RunRequest } | { readonly said: readonly string[] };

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

/** The issue of a run, whose budget it uses. */
async function issueOf({ work, issue }: RunRequest, host: CodeHost): Promise<number> {
  return work.kind === "resolve" ? issue : (issueOfPull(await host.readPullRequest(issue)) ?? issue);
}

/** Does the whole run in this job. `before`: what earlier jobs have spent on the issue. */
async function resolve(
  request: RunRequest,
  { issue, before }: { readonly issue: number; readonly before: Spent },
  work: ActionWork,
): Promise<ActionAnswer> {
  const { host, signal } = work;
  const { check, fault } = request.work.kind === "resolve" ? checkIn(work) : { fault: work.fault };
  const local = await openJobRunner({ ...work, fault });
  const file = createRunFile(request, { store: local.store, before, environment: work.environment });
  const spent = (): Spent => file.state()?.spend ?? { money: 0, tokens: 0 };
  const marked = withSpending(host, request.root, spent);
  const handlers = createRunHandlers({
    ...local,
    store: file.store,
    openCodeHost: async () => marked,
    once: { signal, check },
    patience: { graceMs: 0, clock: () => performance.now() },
  });
  const result = await handlers.resolve(request, passingSteps(signal), async () => undefined);
  if (signal.aborted && result.kind !== "published") {
    return { ...(await endLeftRun(request, work)), result };
  }
  if (request.work.kind !== "resolve") await keepSpending(host, issue, request.root, spent());
  file.done();
  const state = file.state();
  const { work: made } = readRecord(await local.store.record(request.root));
  return { result, said: [], state, patch: result.kind === "dry-run" ? (made?.patch ?? "") : undefined };
}
