import { randomUUID } from "node:crypto";
import { appendFile } from "node:fs/promises";
import { createRunStore } from "../../adapters/in-memory.ts";
import { createAdmission } from "../../admission/admit.ts";
import { createSettingsReader } from "../../admission/settings.ts";
import {
  type ActionAnswer,
  type ActionRequest,
  actionOutputs,
  actionSummary,
  outputLines,
} from "../../cli/action-command.ts";
import type { CliContext } from "../../cli/cli-command.ts";
import { terminalText } from "../../cli/terminal-text.ts";
import type { CommandConfig } from "../../config/environment/config.ts";
import { operatorLimits } from "../../config/environment/operator.ts";
import { jobEnvironment, readCommandConfig } from "../../config/environment/read-config.ts";
import { createOpenTokenHost } from "../../github/api/token-host.ts";
import { isMagisError, MagisError } from "../../model/error.ts";
import { issueOfPull } from "../../model/marks.ts";
import { DEFAULT_PRICES } from "../../model/prices.ts";
import { readRecord } from "../../model/read-record.ts";
import type { Delivery, RunRequest } from "../../model/run-request.ts";
import { DEFAULT_SETTINGS } from "../../model/setting-definitions/all-settings.ts";
import { formatMoney } from "../../model/spend.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import type { Log } from "../../ports/log.ts";
import { CHECK_NAME } from "../../report/check-report.ts";
import { createRunHandlers } from "../../workflow/perform-run.ts";
import { passingSteps } from "../../workflow/run/phase-runner.ts";
import { type ActionWork, type Environment, openJobRunner, pageOfJob, readEvent } from "./job.ts";
import { createRunFile, endLeftRun, keepSpending, type Spent, spentOn, withSpending } from "./kept-run.ts";
import { checkIn, makeChange, publishMade } from "./made-change.ts";

/** Does what a job was started for, and writes its summary and outputs to where Actions reads them. */
export async function runAction(
  request: ActionRequest,
  context: Pick<CliContext, "signal" | "progress">,
  environment: Environment = jobEnvironment(),
): Promise<ActionAnswer> {
  // Nothing of what is shown from here on is an order to the runner.
  const silence = `magis-${randomUUID()}`;
  context.progress(`::stop-commands::${silence}`);
  const progress = (line: string) => context.progress(terminalText(line));
  try {
    const answer = await act(request, { ...context, progress }, environment).catch((error: unknown): ActionAnswer => {
      if (!isMagisError(error)) throw error;
      return { said: [error.message], misconfigured: true };
    });
    const summary = actionSummary(answer, pageOfJob(environment));
    // The step at the end has nothing to say where the one before has said it.
    if (!request.ended || answer.state) {
      progress(summary);
      await writeTo(environment.GITHUB_STEP_SUMMARY, summary);
    }
    const outputs = outputLines(actionOutputs(answer), `magis-${randomUUID()}`);
    if (!request.ended) await writeTo(environment.GITHUB_OUTPUT, outputs);
    return answer;
  } finally {
    context.progress(`::${silence}::`);
  }
}

const writeTo = async (file: string | undefined, text: string) => {
  if (file) await appendFile(file, text);
};

async function act(
  { mode, ended }: ActionRequest,
  { signal, progress }: Pick<CliContext, "signal" | "progress">,
  environment: Environment,
): Promise<ActionAnswer> {
  const event = await readEvent(environment);
  if ("ignored" in event) return { said: [event.ignored] };
  const { delivery } = event;
  const config = readCommandConfig(
    DEFAULT_PRICES,
    variablesOf(mode === "publish" || ended, environment),
    undefined,
    environment,
    progress,
  );
  const log = quietLog(progress, signal);
  const open = openHost(config, log, mode === "make" ? environment.INPUT_BOT : undefined);
  const host = asInJob(await open(delivery), environment);
  const work = { config, environment, host, log, signal, progress };
  if (ended) return endLeftRun(delivery, work);

  const readOnly = mode === "make" ? silentHost(host) : { host, said: [] };
  const admitted = await admit(delivery, { ...work, host: readOnly.host });
  if ("said" in admitted) return { said: [...admitted.said, ...readOnly.said] };
  const { request } = admitted;
  const issue = await issueOf(request, host);
  if (mode === "publish") return publishMade(request, work);
  const limited = limit(request, await spentOn(host, issue), config);
  if ("said" in limited) return { said: limited.said };
  return mode === "make" ? makeChange(limited.request, work) : resolve(limited.request, issue, work);
}

/** Where GitHub is, the runner knows; `asksNobody`: without a model, and so without a key for it. */
function variablesOf(asksNobody: boolean, { GITHUB_SERVER_URL: server }: Environment) {
  const url = server && URL.canParse(server) ? new URL(server) : undefined;
  const elsewhere = url && url.hostname !== "github.com";
  return {
    ...(elsewhere && { GHE_HOST: url.host, GHE_PROTOCOL: url.protocol.slice(0, -1) }),
    ...(asksNobody && { ANTHROPIC_API_KEY: "none" }),
  };
}

function quietLog(progress: (line: string) => void, signal: AbortSignal): Log {
  const tell = (data: object, message: string) => {
    if (signal.aborted) return;
    const reason = "error" in data && isMagisError(data.error) ? `: ${data.error.message}` : "";
    progress(`    ${message}${reason}`.replaceAll("\n", " "));
  };
  return { info: () => undefined, warn: tell, error: tell };
}

/** `bot`: of a job that only reads, the login under which another one writes. */
function openHost({ github }: CommandConfig, log: Log, bot: string | undefined) {
  const { token, webUrl, apiUrl } = github;
  if (token === undefined) {
    const message = "GITHUB_TOKEN is missing: give the step the token of a job or of an app.";
    throw new MagisError("CONFIGURATION_INVALID", message);
  }
  const quiet = { debug: () => undefined, warn: (_: unknown, message?: string) => message && log.warn({}, message) };
  const open = createOpenTokenHost({ token, webUrl, apiUrl, log: quiet, ...(bot && { login: bot }) });
  return (delivery: Pick<Delivery, "repository">) => open(delivery.repository);
}

/** What a token is not told: that a bot's commits are made by GitHub, and which checks are the job's own. */
function asInJob({ author, ...host }: CodeHost, { GITHUB_JOB: job }: Environment): CodeHost {
  const own: readonly (string | undefined)[] = [job, CHECK_NAME];
  return {
    ...host,
    ...(author && !host.login.endsWith("[bot]") && { author }),
    checksOf: async (commit) =>
      (await host.checksOf(commit)).map((check) => (own.includes(check.name) ? { ...check, byApp: true } : check)),
  };
}

/** A host that is read only: what would be said there is said in the job's summary. */
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

/** The app's own guards, in front of one job: no other run is there that they could know of. */
async function admit(delivery: Delivery, { host, config, log }: ActionWork): Promise<Admitted> {
  const { store } = createRunStore();
  const reasons: string[] = [];
  const { label, allowedBots } = DEFAULT_SETTINGS;
  const decide = createAdmission({
    ...{ store, label, allowedBots, budget: config.budget, openCodeHost: async () => host },
    log: {
      ...log,
      info: (data) => {
        if ("reason" in data) reasons.push(String(data.reason));
        if ("faults" in data) reasons.push("The repository's configuration has faults.");
      },
    },
    readSettings: createSettingsReader(operatorLimits(config)),
    ...{ unfinished: async () => [], ahead: async () => 0, unadmitted: async () => [] },
  });
  const decision = await decide(delivery);
  if (!decision || !("start" in decision)) {
    return { said: reasons.length > 0 ? reasons : ["Nothing here asks for work."] };
  }
  const { work } = decision.start;
  if (work.kind === "resolve" && work.gate === "plan") {
    return {
      said: ["Plans need approval here (`approval: required`), which the app can wait for and the Action cannot."],
    };
  }
  return { request: decision.start };
}

/** The issue that a run is for, whose budget it uses. */
async function issueOf({ work, issue }: RunRequest, host: CodeHost): Promise<number> {
  return work.kind === "resolve" ? issue : (issueOfPull(await host.readPullRequest(issue)) ?? issue);
}

/** What is left of the issue's budget; a run in another job cannot use it as well. */
function limit(request: RunRequest, spent: Spent, { budget: own }: CommandConfig): Admitted {
  const { settings } = request;
  const budget = settings?.budget ?? own;
  const left = { ...budget, money: budget.money - spent.money, tokens: budget.tokens - spent.tokens };
  if (left.money <= 0 || left.tokens <= 0) {
    const of = `${formatMoney(spent.money)} of ${formatMoney(budget.money)}`;
    return {
      said: [`The budget of this issue is used up: earlier jobs have spent ${of}, by the tracking comments on it.`],
    };
  }
  return { request: settings ? { ...request, settings: { ...settings, budget: left } } : request };
}

/** The whole run, in this job. */
async function resolve(request: RunRequest, issue: number, work: ActionWork): Promise<ActionAnswer> {
  const { host, signal } = work;
  const local = await openJobRunner(work);
  const file = createRunFile(request, local.store, work.environment);
  const spent = (): Spent => file.state()?.spend ?? { money: 0, tokens: 0 };
  const check = checkIn(work);
  const marked = withSpending(host, request.root, spent);
  const handlers = createRunHandlers({
    ...{ ...local, store: file.store, openCodeHost: async () => marked, once: { signal, check } },
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
  const patch = result.kind === "dry-run" && { patch: made?.patch ?? "" };
  return { result, said: [], ...(state && { state }), ...patch };
}
