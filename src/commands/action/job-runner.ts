import { openLocalRunner, QUIET } from "../../app/local-runner.ts";
import { openModel } from "../../app/open-model.ts";
import { isMagisError, MagisError } from "../../data/error.ts";
import type { Log } from "../../data/log.ts";
import { createOpenRepository } from "../../git/open-repository.ts";
import type { CodeHost } from "../../github/code-host.ts";
import { createUploads } from "../../github/uploads.ts";
import type { LanguageModel } from "../../models/language-model.ts";
import type { RunStore } from "../../run/runs.ts";
import type { CommandConfig } from "../../settings/environment/config.ts";
import type { Environment } from "../../settings/environment/read-config.ts";
import type { LocalDependencies } from "../../workflow/dry-run/job.ts";
import { createProgress } from "../resolve/progress.ts";
import { inputWords } from "./input-words.ts";

/** What every kind of Actions job gets. */
export interface ActionWork {
  config: CommandConfig;
  environment: Environment;
  host: CodeHost;
  log: Log;
  signal: AbortSignal;
  /** an error in the job's configuration, with which a run ends instead of asking the model */
  fault?: string;
  progress(line: string): void;
}

/** What differs between kinds of jobs. */
interface JobParts {
  /** holds what an earlier job did of the run */
  store?: RunStore;
  /** by default the configured one */
  model?: LanguageModel;
}

/**
 * Opens what a run of this job needs; the run reports to the job's log. An error in the configuration ends the run
 * before anything is cloned, and is reported to whoever asked for the run, like any other end. Throws PROMPT_INVALID.
 */
export async function openJobRunner(work: ActionWork, { store, model }: JobParts = {}): Promise<LocalDependencies> {
  const { config, log, progress, signal } = work;
  const opened = model ? { model, fault: work.fault } : await openJobModel(work);
  const why =
    opened.fault === undefined ? undefined : new MagisError("CONFIGURATION_INVALID", inputWords(opened.fault));
  const open = await openLocalRunner(config, opened);
  return open({
    openRepository: why ? () => Promise.reject(why) : createOpenRepository(config.clone, log),
    uploads: createUploads({ webUrl: config.github.webUrl, log }),
    log,
    watcher: createProgress({ progress, signal }),
    store,
  });
}

/** The model, or the error in its configuration. */
async function openJobModel({ config, fault }: Pick<ActionWork, "config" | "fault">) {
  if (fault !== undefined) return { model: NO_MODEL, fault };
  try {
    return { model: await openModel(config.model, QUIET), fault };
  } catch (error) {
    if (!isMagisError(error, "CONFIGURATION_INVALID")) throw error;
    return { model: NO_MODEL, fault: error.message };
  }
}

/** For a job without a model. */
export const NO_MODEL: LanguageModel = {
  complete: () => Promise.reject(new MagisError("ANSWER_INVALID", "This job asks no model.")),
  worstCase: () => ({ tokens: 0, money: 0 }),
};
