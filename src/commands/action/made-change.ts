import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createRunStore } from "../../app/in-memory.ts";
import { localCheck } from "../../app/local-runner.ts";
import { isMagisError, MagisError } from "../../data/error.ts";
import { readRun, type ShownRun } from "../../data/read-record.ts";
import { type RunRequest, repositoryName } from "../../data/run-request.ts";
import { createUploads } from "../../github/uploads.ts";
import type { Spent } from "../../report/issue-spending.ts";
import { failureResult } from "../../run/ends.ts";
import { openRun, runReport } from "../../run/open-run.ts";
import { passingSteps, runPhases } from "../../run/phase-runner.ts";
import { LARGEST_RECORD, parseJson } from "../../text/bounded.ts";
import type { LocalCheck } from "../../workflow/dry-run/check-work.ts";
import { resolveLocally } from "../../workflow/dry-run/dry-run.ts";
import { publishRecord } from "../../workflow/dry-run/publish-record.ts";
import { hostedJob } from "../hosted-job.ts";
import { type ActionWork, NO_MODEL, openJobRunner } from "./job-runner.ts";
import type { ActionAnswer } from "./job-summary.ts";
import { performKept } from "./kept-run.ts";

const NOT_IN_TWO_JOBS = "Only the one-job form answers reviews and checks: they need the model and the token together.";

/** The first job: reads GitHub, asks the model, and leaves record, change and a patch for people in a folder. */
export async function makeChange(request: RunRequest, work: ActionWork): Promise<ActionAnswer> {
  if (request.work.kind !== "resolve") return { said: [NOT_IN_TWO_JOBS] };
  const { host, signal, log } = work;
  const { id, requestedAt, settings, options } = request;
  const uploads = createUploads({ webUrl: work.config.github.webUrl, log });
  const { check, fault } = checkIn(work);
  const issue = await hostedJob(request, host, { base: settings?.baseBranch, uploads, signal });
  const job = { ...issue, check: () => check, settings, publishing: { anyway: options?.anyway === true } };
  const local = await openJobRunner({ ...work, fault });
  const { result, patch, report } = await resolveLocally(job, local, signal).catch(async (error: unknown) => {
    if (signal.aborted) throw error;
    // The publishing job needs the record to report the outcome on the issue.
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
  return {
    result,
    said: [],
    patch: Buffer.from(patch).toString("utf8"),
    digest: digestOf(text),
    state: report.state,
  };
}

/**
 * The workflow's chosen check, with the packages installed in the job's checkout; or, where it cannot run as
 * configured, the fault with which the run ends instead.
 */
export function checkIn({ config, environment, signal, fault }: ActionWork): {
  check?: LocalCheck;
  fault?: string | undefined;
} {
  const { command } = config.check;
  const { GITHUB_WORKSPACE: beside } = environment;
  if (command === undefined) return { fault };
  const folder = beside && existsSync(beside) ? beside : undefined;
  try {
    return { check: localCheck(command, { config, environment, signal, beside: folder }), fault };
  } catch (error) {
    if (!isMagisError(error, "CONFIGURATION_INVALID")) throw error;
    return { fault: fault ?? error.message };
  }
}

const RECORD = "record.json";

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** The artifact's folder, which belongs to the runner and not to a checkout. */
function folderOf({ environment: { INPUT_CHANGE: folder, RUNNER_TEMP: temporary } }: Pick<ActionWork, "environment">) {
  if (folder) return path.resolve(folder);
  if (temporary) return path.join(temporary, "magis-change");
  throw new MagisError("CONFIGURATION_INVALID", "INPUT_CHANGE is missing: name the folder of the change.");
}

/**
 * The second job: publishes what the first one made, without a model. Refuses the record unless it matches the first
 * job's output, belongs to this issue, is based on a commit of the base branch, and changes only what the guards allow.
 */
export async function publishMade(request: RunRequest, before: Spent, work: ActionWork): Promise<ActionAnswer> {
  if (request.work.kind !== "resolve") return { said: [NOT_IN_TWO_JOBS] };
  const { log, signal } = work;
  const made = await readMade(request, work);
  const { store } = createRunStore();
  for (const { promptId, tokens, money, elapsed } of made.calls)
    await store.recordCall(request.root, { key: "", promptId, tier: "strong", tokens, money, elapsed });
  const local = await openJobRunner(work, { store, model: NO_MODEL });
  return performKept(request, { local, before }, work, async (deps) => {
    const run = await openRun(request, deps);
    try {
      const place = { open: async () => run, step: passingSteps(signal), log, signal };
      return await runPhases(publishRecord(made), place);
    } finally {
      run.close();
    }
  });
}

async function readMade({ issue, repository, id }: RunRequest, work: ActionWork): Promise<ShownRun> {
  const text = await readFile(path.join(folderOf(work), RECORD)).catch((error: unknown) => {
    throw refused("The first job left no record.", error);
  });
  if (text.length > LARGEST_RECORD.length) throw refused("The record of the first job is too large.");
  const expected = work.environment.INPUT_DIGEST ?? "";
  if (digestOf(text.toString("utf8")) !== expected) {
    throw refused("The record is not the one that the first job made: its SHA-256 differs from the job's output.");
  }
  const record = parseJson(text.toString("utf8"), LARGEST_RECORD);
  if (record.fault !== undefined) throw refused(`The record of the first job cannot be read: ${record.fault}.`);
  const run = readRun(record.value);
  if (!run) throw refused("The record of the first job cannot be read: it is no run's.");
  if (
    run.repository !== repositoryName(repository) ||
    run.number !== issue ||
    run.id.split("@")[0] !== id.split("@")[0]
  ) {
    throw refused("The record is about another issue.");
  }
  return run;
}

const refused = (message: string, cause?: unknown) => new MagisError("CONFIGURATION_INVALID", message, {}, cause);
