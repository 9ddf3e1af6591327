import { readFile } from "node:fs/promises";
import path from "node:path";
import { createBatchModel } from "../adapters/anthropic/batch-model.ts";
import { createOpenMirror } from "../adapters/git/mirror.ts";
import { createOpenLocalRepository } from "../adapters/git/open-local-repository.ts";
import { createRunGrader } from "../adapters/run-grader.ts";
import type { CliContext } from "../cli/cli-command.ts";
import type { CommandConfig } from "../config/environment/config.ts";
import { chosenSettings, valuesByOption } from "../config/environment/operator.ts";
import { gitEnvironment, readCommandConfig } from "../config/environment/read-config.ts";
import { concludeEvaluation } from "../evaluation/conclude-evaluation.ts";
import type { EvaluationEnd, EvaluationInput, EvaluationOptions, SolveInstance } from "../evaluation/evaluating.ts";
import { checkInstances, type Instance, parseInstances, selectInstances } from "../evaluation/instances.ts";
import { createJudge, issueOfInstance } from "../evaluation/judge.ts";
import { createLunrBaseline } from "../evaluation/measures/baselines.ts";
import { readCompared } from "../evaluation/report/tables.ts";
import { type Configuration, openResultFolder } from "../evaluation/results/result-folder.ts";
import { runEvaluation } from "../evaluation/run-evaluation.ts";
import { MagisError } from "../model/error.ts";
import { DEFAULT_PRICES } from "../model/prices.ts";
import { effortsAfter } from "../model/settings.ts";
import { resolveLocally } from "../workflow/dry-run/dry-run.ts";
import { localCheck, openLocalRunner, QUIET } from "./local-runner.ts";

const REPORT_ONLY = { unfinished: new Map<string, string>(), budgetReached: false };

/**
 * Runs `magis eval`: everything that can be wrong is looked at before anything is paid for.
 * Throws CONFIGURATION_INVALID for what is wrong with options, variables, instances, mirrors and results.
 */
export async function runEval(options: EvaluationOptions, context: CliContext): Promise<EvaluationEnd> {
  const { signal, progress, version } = context;
  const instances = options.instances === undefined ? [] : await readInstances(options.instances, options);
  const compared = await readCompared(options.compare);
  const runGrader = createRunGrader(gitEnvironment());
  const shared = { options, instances, compared, runGrader, version };
  if (options.reportOnly) {
    const results = await openResultFolder(options.output, {});
    return concludeEvaluation({ ...shared, results, evaluation: REPORT_ONLY }, signal);
  }
  const config = readCommandConfig(DEFAULT_PRICES, options.variables, ".env", undefined, progress);
  const wanted = {
    version,
    began: new Date().toISOString(),
    configuration: configurationOfEval(options, config, version),
  };
  const solver = await openEvalSolver(options, config, progress);
  const mirrors = await checkInstances(instances, createOpenMirror(options.mirrors ?? "", gitEnvironment()));
  const results = await openResultFolder(options.output, { wanted, fresh: options.fresh });
  const name = `magis-${version}-${config.agents.profile}-${config.model.models.strong}`;
  const evaluation = await runEvaluation(
    {
      ...{ ...solver, options, instances, results, mirrors, progress, name },
      ...{ baseline: createLunrBaseline(), candidates: config.agents.candidates },
      budget: options.budget ?? Number.POSITIVE_INFINITY,
      instanceBudget: Math.min(config.budget.money, options.budget ?? Number.POSITIVE_INFINITY),
    },
    signal,
  );
  return concludeEvaluation({ ...shared, results, evaluation }, signal);
}

async function readInstances(file: string, options: EvaluationOptions): Promise<readonly Instance[]> {
  const source = await readFile(file, "utf8").catch((error: unknown) => {
    throw new MagisError("CONFIGURATION_INVALID", `The file ${file} could not be read.`, {}, error);
  });
  const read = parseInstances(source);
  if ("faults" in read) {
    const faults = read.faults.map((fault) => `${file}, ${fault}`).join("\n");
    throw new MagisError("CONFIGURATION_INVALID", faults, { faults: read.faults });
  }
  const chosen = selectInstances(read.instances, options);
  if (chosen.length > 0) return chosen;
  throw new MagisError("CONFIGURATION_INVALID", `No instance of ${file} fits --filter ${options.filter}.`);
}

/** Batches may take a day each: what a run may work, and the longest silence of the provider. */
const BATCH_MINUTES = 30 * 24 * 60;

const BATCH_SILENCE_MS = 5 * 60_000;

/**
 * What solves and judges instances: the whole workflow as `magis resolve` runs it, up to the patch, on the mirror's commit.
 * Every run has a store and an evolution memory of its own. Throws CONFIGURATION_INVALID, PROMPT_INVALID.
 */
export async function openEvalSolver(
  options: EvaluationOptions,
  config: CommandConfig,
  progress: (line: string) => void = () => undefined,
): Promise<Pick<EvaluationInput, "solve" | "judge" | "parser">> {
  const { judgeModel } = options;
  if (judgeModel !== undefined && !Object.hasOwn(config.model.prices, judgeModel)) {
    const sentence = `--judge-model names ${judgeModel}, whose price is not known: add it to MAGIS_PRICES.`;
    throw new MagisError("CONFIGURATION_INVALID", sentence);
  }
  if (options.batch && config.model.provider !== "anthropic") {
    const sentence = `--batch needs Anthropic's own API: MAGIS_PROVIDER is ${config.model.provider}.`;
    throw new MagisError("CONFIGURATION_INVALID", sentence);
  }
  const openRepository = createOpenLocalRepository(gitEnvironment(), config.clone);
  const file = path.join(options.output, "batches.jsonl");
  const batches = {
    ...config.model,
    effort: effortsAfter(config.model.effort),
    timeoutMs: BATCH_SILENCE_MS,
    log: QUIET,
    file,
    progress,
  };
  const open = await openLocalRunner(config, options.batch ? createBatchModel(batches) : undefined);
  const minutes = options.batch ? { minutes: BATCH_MINUTES } : {};
  const withHints = !options.ablate.includes("hints");
  const solve: SolveInstance = async (instance, { folder, candidates, money, onSpend }, signal) => {
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
        ...{ id: instance.id, repository: { owner, name, installationId: 0 }, name: instance.repository },
        ...{ issue: issueOfInstance(instance, withHints), source: { url: folder, commit: instance.baseCommit } },
        ...{ requestedAt: new Date().toISOString(), through: "code", ...(candidates && { files: candidates }) },
        check: () => checkOf(instance, signal),
        chosen: {
          ...{ ...chosenSettings(config), ablate: options.ablate },
          budget: { ...config.budget, ...minutes, money },
        },
      },
      open({ openRepository, log: QUIET, watcher }),
      signal,
    );
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { result, report, patch: text(patch), ...(unchecked && { unchecked: text(unchecked) }) };
  };
  const checkOf = (instance: Instance, signal: AbortSignal) => {
    const command = options.check ? (instance.check ?? config.check.command) : undefined;
    if (command === undefined) return undefined;
    return localCheck(command, { config, signal, warn: progress });
  };
  const { model, prompts, parser } = open({ openRepository, log: QUIET });
  return { solve, parser, ...(options.judge && { judge: createJudge({ model, prompts, judgeModel, ...minutes }) }) };
}

/** What decides about the results, for two calls to be compared: not where, how many, or how many at a time. */
export function configurationOfEval(
  { ablate, files, judge, judgeModel, check, batch }: EvaluationOptions,
  config: CommandConfig,
  version: string,
): Configuration {
  const { model } = config;
  const { budget: _money, ...byOption } = valuesByOption(config);
  return {
    ...{ magis: version, ...byOption },
    ...{ ablate: [...ablate], files: files ?? null },
    effort: [model.effort.strong ?? null, model.effort.fast ?? null],
    check: check === true,
    judge: judge ? (judgeModel ?? model.models.strong) : null,
    "instance-budget": { ...config.budget },
    ...(batch && { batch }),
  };
}
