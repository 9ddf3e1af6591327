import { randomUUID } from "node:crypto";
import { appendFile, readFile, stat } from "node:fs/promises";
import { definitionOf } from "../../data/command.ts";
import { isMagisError, MagisError } from "../../data/error.ts";
import { type Delivery, repositoryName } from "../../data/run-request.ts";
import type { CommandConfig } from "../../settings/environment/config.ts";
import { type Environment, readCommandConfig } from "../../settings/environment/read-config.ts";
import { parseJson } from "../../text/bounded.ts";
import { terminalText } from "../../text/strip-escapes.ts";
import { parseDelivery } from "../../webhooks/parse-delivery.ts";
import type { CliCommand, CliContext, CliOption } from "../cli-command.ts";
import { inputWords } from "./input-words.ts";
import {
  type ActionAnswer,
  type ActionMode,
  actionExit,
  actionOutputs,
  actionSummary,
  outputLines,
} from "./job-summary.ts";
import { leftRun, NOTHING_LEFT } from "./kept-run.ts";

const ACTION_OPTIONS = [
  {
    name: "mode",
    argument: "MODE",
    description: "simple (one job), make (the change, without writing) or publish (it, without a model)",
    choices: ["simple", "make", "publish"],
  },
  { name: "ended", description: "tell on GitHub that the job ended before its run, if it did" },
] as const satisfies readonly CliOption[];

/**
 * `magis action`: the command of a GitHub Actions job. Writes the job's summary and outputs to where Actions reads them.
 */
export const actionCommand: CliCommand<typeof ACTION_OPTIONS> = {
  options: ACTION_OPTIONS,
  async run({ options: { mode = "simple", ended = false } }, given) {
    const { environment } = given;
    const context = { ...given, progress: (line: string) => given.progress(terminalText(line)) };
    const answer = await act({ mode, ended }, context).catch((error: unknown): ActionAnswer => {
      if (!isMagisError(error)) throw error;
      return { said: [inputWords(error.message)], misconfigured: true };
    });
    const summary = actionSummary(answer, pageOfJob(environment));
    // The last step has nothing to say when the step before has said it.
    if (!ended || answer.state) {
      context.progress(summary);
      await writeTo(environment.GITHUB_STEP_SUMMARY, summary);
    }
    const outputs = outputLines(actionOutputs(answer), `magis-${randomUUID()}`);
    if (!ended) await writeTo(environment.GITHUB_OUTPUT, outputs);
    // The job's log already has the text, with commands to the runner disarmed.
    return { exitCode: actionExit(answer), text: "" };
  },
};

const writeTo = async (file: string | undefined, text: string) => {
  if (file) await appendFile(file, text);
};

interface ActionRequest {
  mode: ActionMode;
  /** only report on GitHub that the job ended before its run began */
  ended: boolean;
}

async function act(
  { mode, ended }: ActionRequest,
  { environment, signal, progress }: CliContext,
): Promise<ActionAnswer> {
  const event = await readEvent(environment);
  if ("ignored" in event) return { said: [event.ignored] };
  if (ended && !leftRun(environment)) return NOTHING_LEFT;
  const { config, fault } = readJobConfig(mode === "publish" || ended, environment, progress);
  if (config.github.token === undefined) {
    const message = "GITHUB_TOKEN is empty: give it the token of a job or of an app.";
    throw new MagisError("CONFIGURATION_INVALID", message);
  }
  // Loaded only here: jobs without a delivery, or with an error, do not need it.
  const { performJob } = await import("./job.ts");
  return performJob(event.delivery, { mode, ended, config, environment, signal, progress, fault });
}

/**
 * The job's configuration. When it has errors: these, and enough configuration to report them on the issue. Throws
 * CONFIGURATION_INVALID when GitHub's own address is wrong.
 */
function readJobConfig(
  asksNobody: boolean,
  environment: Environment,
  progress: (line: string) => void,
): { config: CommandConfig; fault?: string } {
  const read = (asks: boolean, from: Environment) =>
    readCommandConfig(variablesOf(!asks, environment), undefined, from, progress);
  const { INPUT_MODEL: strong, INPUT_FAST_MODEL: fast } = environment;
  const models = {
    MAGIS_MODEL_STRONG: strong || environment.MAGIS_MODEL_STRONG,
    MAGIS_MODEL_FAST: fast || environment.MAGIS_MODEL_FAST,
  };
  const withFault = (fault: string) => {
    const { GITHUB_TOKEN, GHE_HOST, GHE_PROTOCOL } = environment;
    return { config: read(false, { GITHUB_TOKEN, GHE_HOST, GHE_PROTOCOL }), fault };
  };
  if (!asksNobody && (environment.MAGIS_PROVIDER || "anthropic") !== "anthropic") return withFault(OTHER_PROVIDER);
  try {
    return { config: read(!asksNobody, { ...environment, ...models }) };
  } catch (error) {
    if (!isMagisError(error, "CONFIGURATION_INVALID")) throw error;
    return withFault(error.message);
  }
}

const OTHER_PROVIDER =
  "MAGIS_PROVIDER names a provider for which the Action installs no package: it speaks to Anthropic's API, or to a gateway with that API at ANTHROPIC_BASE_URL. Leave MAGIS_PROVIDER out.";

/** Takes GitHub's address from the runner; `asksNobody`: needs no model, and so no key for it. */
function variablesOf(asksNobody: boolean, { GITHUB_SERVER_URL: server }: Environment) {
  const url = server && URL.canParse(server) ? new URL(server) : undefined;
  // Spread over the environment: an absent key leaves its variable.
  const variables: Record<string, string> = {};
  if (url && url.hostname !== "github.com") {
    variables.GHE_HOST = url.host;
    variables.GHE_PROTOCOL = url.protocol.slice(0, -1);
  }
  if (asksNobody) variables.ANTHROPIC_API_KEY = "none";
  return variables;
}

/** Every delivery needs an installation, but a token has none. */
const NO_INSTALLATION = 1;

/**
 * The delivery of the job's event, read from the file that Actions writes, or a sentence why there is none. Throws
 * CONFIGURATION_INVALID outside a job, and for an event of another repository.
 */
async function readEvent(environment: Environment): Promise<{ delivery: Delivery } | { ignored: string }> {
  const { GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: file, GITHUB_REPOSITORY: repository } = environment;
  if (!name || !file || !repository) {
    const message = "There is no event: magis action works in a job of GitHub Actions, which sets GITHUB_EVENT_PATH.";
    throw new MagisError("CONFIGURATION_INVALID", message);
  }
  const payload = await readPayload(file);
  const run = `actions-${digits(environment.GITHUB_RUN_ID)}-${digits(environment.GITHUB_RUN_ATTEMPT)}`;
  const parsed = parseDelivery({ id: run, ...asWebhook(name, { ...payload, installation: { id: NO_INSTALLATION } }) });
  if ("ignored" in parsed) return parsed;
  const own = repositoryName(parsed.delivery.repository);
  if (own.toLowerCase() !== repository.toLowerCase()) {
    throw new MagisError("CONFIGURATION_INVALID", `The event is about ${own}, and the job belongs to ${repository}.`);
  }
  const why = whyNotHere(parsed.delivery);
  return why === undefined ? { delivery: { ...parsed.delivery, job: pageOfJob(environment) } } : { ignored: why };
}

/** The page of the job's run, where people can cancel it and read its log. */
function pageOfJob({ GITHUB_SERVER_URL, GITHUB_REPOSITORY = "", GITHUB_RUN_ID }: Environment): string {
  const { origin } = new URL(GITHUB_SERVER_URL || "https://github.com");
  return `${origin}/${GITHUB_REPOSITORY}/actions/runs/${digits(GITHUB_RUN_ID)}`;
}

const digits = (text = "0") => text.replace(/\D/g, "") || "0";

type Payload = Readonly<Record<string, unknown>>;

/** GitHub's limit for payloads. */
const MAX_EVENT_BYTES = 25 * 1024 * 1024;

async function readPayload(file: string): Promise<Payload> {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  if (size > MAX_EVENT_BYTES) {
    throw new MagisError("CONFIGURATION_INVALID", "The event's file (GITHUB_EVENT_PATH) is larger than 25 MiB.");
  }
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new MagisError("CONFIGURATION_INVALID", "The event's file (GITHUB_EVENT_PATH) cannot be read.", {}, error);
  });
  const read = parseJson(text, { length: MAX_EVENT_BYTES });
  if (read.fault === undefined) return read.value as Payload;
  throw new MagisError(
    "CONFIGURATION_INVALID",
    `The event's file (GITHUB_EVENT_PATH) cannot be read: ${read.fault.replace(/ \(.*/s, "")}.`,
  );
}

/** Turns a `workflow_run` event into the app's `check_suite`: both mean that checks have ended. */
function asWebhook(name: string, payload: Payload): { name: string; payload: Payload } {
  const run = payload.workflow_run as Payload | null | undefined;
  if (name !== "workflow_run" || typeof run !== "object" || run === null) return { name, payload };
  const { head_sha, head_branch, updated_at } = run;
  return { name: "check_suite", payload: { ...payload, check_suite: { head_sha, head_branch, updated_at } } };
}

function whyNotHere({ trigger }: Delivery): string | undefined {
  if (trigger.kind === "unlabel" || trigger.kind === "gone") return "It ends work: cancel the workflow's run instead.";
  if (trigger.kind === "push") return "Only the app keeps branches up to date.";
  if (trigger.kind !== "other-command") return undefined;
  const inAction = definitionOf(trigger.command)?.inAction ?? true;
  return inAction === true ? undefined : `\`/magis ${trigger.command.verb}\` ${inAction}`;
}
