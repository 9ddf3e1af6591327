import path from "node:path";
import { createOpenLocalRepository } from "../adapters/git/open-local-repository.ts";
import { createRunStore, watchedStore } from "../adapters/in-memory.ts";
import { readCloudEnvironment } from "../config/environment/cloud-environment.ts";
import type { CommandConfig } from "../config/environment/config.ts";
import { chosenSettings } from "../config/environment/operator.ts";
import { type Environment, gitEnvironment, processEnvironment } from "../config/environment/read-config.ts";
import { createDirectSolver } from "../evaluation/direct.ts";
import type { EvaluationMethod, SolveInstance, Solver } from "../evaluation/evaluating.ts";
import { type Instance, issueOfInstance } from "../evaluation/instances.ts";
import { createJudge } from "../evaluation/judge.ts";
import { MagisError } from "../model/error.ts";
import { effortsAfter } from "../model/settings.ts";
import type { LanguageModel } from "../ports/language-model.ts";
import type { Mirror } from "../ports/repository.ts";
import { resolveLocally } from "../workflow/dry-run/dry-run.ts";
import { localCheck, openLocalRunner, QUIET } from "./local-runner.ts";

/** Minutes that a run may work and the provider may be silent: each batch may take a day. */
const BATCH_MINUTES = 30 * 24 * 60;

const BATCH_SILENCE_MS = 5 * 60_000;

/**
 * Solves and judges instances by the whole workflow of `magis resolve`, up to the patch, on the mirror's commit. Every
 * run has a store and an evolution memory of its own. Throws CONFIGURATION_INVALID, PROMPT_INVALID.
 */
export async function openEvalSolver(
  method: EvaluationMethod,
  /** folder of the results */
  output: string,
  { config, environment }: { readonly config: CommandConfig; readonly environment: Environment },
  progress: (line: string) => void,
): Promise<Solver> {
  const judgeModel = typeof method.judge === "object" ? method.judge.name : undefined;
  if (judgeModel !== undefined && !Object.hasOwn(config.model.prices, judgeModel)) {
    const sentence = `--judge-model names ${judgeModel}, whose price is not known: add it to MAGIS_PRICES.`;
    throw new MagisError("CONFIGURATION_INVALID", sentence);
  }
  if (method.batch && config.model.provider !== "anthropic") {
    const sentence = `--batch needs Anthropic's own API: MAGIS_PROVIDER is ${config.model.provider}.`;
    throw new MagisError("CONFIGURATION_INVALID", sentence);
  }
  const openRepository = createOpenLocalRepository(gitEnvironment(environment), config.clone);
  if (method.locate === "paper" && config.agents.profile !== "paper") {
    throw new MagisError("CONFIGURATION_INVALID", "--locate paper needs the profile paper: --profile paper.");
  }
  const open = await openLocalRunner(config, method.batch ? await openBatches(output, config, progress) : undefined);
  const minutes = method.batch ? { minutes: BATCH_MINUTES } : {};
  const withHints = !method.ablate.includes("hints");
  const solve: SolveInstance = async (instance, { mirror, candidates, ranked, memory, money, onSpend }, signal) => {
    let spent = 0;
    const watcher = {
      call: (call: { readonly money: number }) => {
        spent += call.money;
        onSpend(spent);
      },
    };
    const [owner = "", name = ""] = instance.repository.split("/");
    const { result, patch, report, unchecked } = await resolveLocally(
      {
        id: instance.id,
        repository: { owner, name, installationId: 0 },
        name: instance.repository,
        issue: issueOfInstance(instance, withHints),
        source: { url: mirror.folder, commit: instance.baseCommit },
        requestedAt: new Date().toISOString(),
        through: "code",
        files: candidates,
        ranked,
        readBlob: (blob) => readBlob(mirror, blob),
        check: () => checkOf(instance, signal),
        chosen: {
          ...chosenSettings(config),
          ablate: method.ablate,
          budget: { ...config.budget, ...minutes, money },
        },
      },
      open({ openRepository, log: QUIET, watcher, memory }),
      signal,
    );
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { result, report, patch: text(patch), unchecked: unchecked && text(unchecked) };
  };
  const checkOf = (instance: Instance, signal: AbortSignal) => {
    const command = method.check ? (instance.check ?? config.check.command) : undefined;
    if (command === undefined) return undefined;
    return localCheck(command, { config, environment, signal, warn: progress });
  };
  const { model, prompts, parser } = open({ openRepository, log: QUIET });
  if (method.system === "direct") {
    const openStore = (onCall: (money: number) => void) =>
      watchedStore(createRunStore().store, { call: ({ money }) => onCall(money) });
    return { solve: createDirectSolver({ model, prompts, hints: withHints, openStore, ...minutes }), parser };
  }
  const judge = method.judge && createJudge({ model, prompts, judgeModel, ...minutes });
  return { solve, parser, judge };
}

/** A version that the evolution memory knows and the commit no longer holds. */
async function readBlob(mirror: Mirror, blob: string): Promise<Uint8Array | undefined> {
  let content: Uint8Array | undefined;
  await mirror
    .readBlobs([blob], (_, bytes) => {
      content = bytes;
    })
    .catch(() => undefined);
  return content;
}

async function openBatches(
  output: string,
  { model }: CommandConfig,
  progress: (line: string) => void,
): Promise<LanguageModel> {
  const { createBatchModel } = await import("../adapters/anthropic/batch-model.ts");
  const file = path.join(output, "batches.jsonl");
  const { foreignHeaders } = readCloudEnvironment(processEnvironment());
  const { apiKey = "", baseUrl } = model;
  return createBatchModel({
    endpoint: { apiKey, baseUrl, foreignHeaders, timeoutMs: BATCH_SILENCE_MS },
    models: model.models,
    prices: model.prices,
    effort: effortsAfter(model.effort),
    timeoutMs: BATCH_SILENCE_MS,
    log: QUIET,
    file,
    progress,
  });
}
