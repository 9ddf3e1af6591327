import { readFile } from "node:fs/promises";
import { createOpenRepository } from "../../adapters/git/open-repository.ts";
import { createProgress } from "../../cli/resolve/progress.ts";
import type { CommandConfig } from "../../config/environment/config.ts";
import { createFetchImage } from "../../github/api/images.ts";
import { parseDelivery } from "../../github/webhooks/parse-delivery.ts";
import { MagisError } from "../../model/error.ts";
import { type Delivery, repositoryName } from "../../model/run-request.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import type { Log } from "../../ports/log.ts";
import type { LocalDependencies } from "../../workflow/dry-run/job.ts";
import { openLocalRunner } from "../local-runner.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** What all forms of a job are handed. */
export interface ActionWork {
  readonly config: CommandConfig;
  readonly environment: Environment;
  readonly host: CodeHost;
  readonly log: Log;
  readonly signal: AbortSignal;
  progress(line: string): void;
}

/** Opens what a run of this job needs, which is told in the job's log. Throws what `openLocalRunner` throws. */
export async function openJobRunner({ config, log, progress, signal }: ActionWork): Promise<LocalDependencies> {
  const open = await openLocalRunner(config);
  return open({
    openRepository: createOpenRepository(config.clone),
    fetchImage: createFetchImage({ webUrl: config.github.webUrl, log }),
    log,
    watcher: createProgress({ progress, signal }),
  });
}

/** A token has no installation, but every delivery names one. */
const NO_INSTALLATION = 1;

/**
 * What the job's event stands for, read from the file that Actions writes; or why nothing comes of it, in a sentence.
 * Throws CONFIGURATION_INVALID outside of a job, and for an event of another repository than the job's.
 */
export async function readEvent(
  environment: Environment,
): Promise<{ readonly delivery: Delivery } | { readonly ignored: string }> {
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

/** The page of the job's run, where it can be cancelled and has its log. */
export function pageOfJob({ GITHUB_SERVER_URL, GITHUB_REPOSITORY = "", GITHUB_RUN_ID }: Environment): string {
  const { origin } = new URL(GITHUB_SERVER_URL || "https://github.com");
  return `${origin}/${GITHUB_REPOSITORY}/actions/runs/${digits(GITHUB_RUN_ID)}`;
}

const digits = (text = "0") => text.replace(/\D/g, "") || "0";

type Payload = Readonly<Record<string, unknown>>;

async function readPayload(file: string): Promise<Payload> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Payload;
  } catch (error) {
    throw new MagisError("CONFIGURATION_INVALID", "The event's file (GITHUB_EVENT_PATH) cannot be read.", {}, error);
  }
}

/** Workflows hear of ended checks when a workflow has run: to the app, that is the end of a suite. */
function asWebhook(name: string, payload: Payload): { readonly name: string; readonly payload: Payload } {
  const run = payload.workflow_run as Payload | null | undefined;
  if (name !== "workflow_run" || typeof run !== "object" || run === null) return { name, payload };
  const { head_sha, head_branch, updated_at } = run;
  return { name: "check_suite", payload: { ...payload, check_suite: { head_sha, head_branch, updated_at } } };
}

/** Commands that need what only the app keeps: the state of earlier runs. */
const NEED_THE_APP: ReadonlySet<string> = new Set(["plan", "approve", "continue", "status"]);

function whyNotHere({ trigger }: Delivery): string | undefined {
  if (trigger.kind === "unlabel" || trigger.kind === "gone") return "It ends work: cancel the workflow's run instead.";
  if (trigger.kind !== "other-command") return undefined;
  const { verb } = trigger.command;
  if (verb === "cancel") return "`/magis cancel` does nothing in the Action: cancel the workflow's run instead.";
  return NEED_THE_APP.has(verb)
    ? `\`/magis ${verb}\` needs the app, which keeps earlier runs; the Action keeps none.`
    : undefined;
}
