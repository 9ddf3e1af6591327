import { readFile } from "node:fs/promises";
import path from "node:path";
import { ownStateFolder } from "../src/app/own-state.ts";
import { createSourceParser } from "../src/code/tree-sitter/source-parser.ts";
import type { CliContext } from "../src/commands/cli-command.ts";
import { MagisError } from "../src/data/error.ts";
import { settingsIn } from "../src/data/setting-definitions/all-settings.ts";
import { valueAt } from "../src/data/setting-definitions/definition.ts";
import type { CommandConfig } from "../src/settings/environment/config.ts";
import { workingEnvFile } from "../src/settings/environment/own-env-file.ts";
import { gitEnvironment, readCommandConfig } from "../src/settings/environment/read-config.ts";
import type { Compare } from "./evaluation/compare-results.ts";
import { type ChosenInstances, concludeEvaluation } from "./evaluation/conclude-evaluation.ts";
import type { EvaluationEnd, EvaluationMethod, EvaluationOptions } from "./evaluation/evaluating.ts";
import { openEvaluationMemory } from "./evaluation/evaluation-memory.ts";
import { checkInstances, type InstanceSelection, parseInstances, selectInstances } from "./evaluation/instances.ts";
import {
  beginResults,
  type Configuration,
  goOnWithResults,
  readResultFolder,
} from "./evaluation/results/result-folder.ts";
import { createOpenMirror } from "./mirror.ts";
import { createRunGrader } from "./run-grader.ts";

const REPORT_ONLY = { unfinished: new Map<string, string>(), budgetReached: false };

/**
 * Runs `npm run eval`. Checks everything that can be wrong before anything is paid for. Throws CONFIGURATION_INVALID for
 * errors in options, variables, instances, mirrors and results.
 */
export async function runEval(options: EvaluationOptions, context: CliContext): Promise<EvaluationEnd> {
  const { output, selection, report, run } = options;
  const { environment, signal, progress, version } = context;
  const chosen = await readInstances(selection);
  const { instances } = chosen;
  const compare = await openOthers(report.compare);
  const runGrader = createRunGrader(gitEnvironment(environment));
  const shared = { report, chosen, runGrader, version };
  const openMirror = createOpenMirror(options.mirrors, gitEnvironment(environment));
  if (run === undefined) {
    const results = await readResultFolder(output);
    const measuring =
      options.mirrors === "" || report.compare.length === 0
        ? undefined
        : { instances, mirrors: await checkInstances(instances, openMirror), parser: createSourceParser() };
    const compareAll = (ids: readonly string[]) => compare(ids, measuring);
    return concludeEvaluation({ ...shared, results, evaluation: REPORT_ONLY, compare: compareAll }, signal);
  }
  const { method, budget = Number.POSITIVE_INFINITY } = run;
  const envFile = workingEnvFile(environment, ownStateFolder(environment));
  const config = readCommandConfig(run.variables, envFile, environment, progress);
  const wanted = {
    version,
    began: new Date().toISOString(),
    configuration: configurationOfEval(method, config, version),
  };
  // Report errors in options, files and variables before loading the workflow.
  const { openEvalSolver } = await import("./open-eval-solver.ts");
  const { runEvaluation } = await import("./evaluation/run-evaluation.ts");
  const solver = await openEvalSolver(method, { config, environment });
  const mirrors = await checkInstances(instances, openMirror);
  const results = await (run.fresh ? beginResults : goOnWithResults)(output, wanted);
  const limits = {
    jobs: run.jobs,
    budget,
    instanceBudget: Math.min(config.budget.money, budget),
  };
  const { strong } = config.model.models;
  const name = method.system === "direct" ? `direct-${strong}` : `magis-${version}-${config.agents.profile}-${strong}`;
  const memory = method.memory ? await openEvaluationMemory(path.join(output, "memory.jsonl")) : undefined;
  const evaluation = await runEvaluation(
    { instances, mirrors, results, solver, method, memory, limits, name, progress },
    signal,
  );
  const measuring = { instances, mirrors, parser: solver.parser };
  const compareAll = (ids: readonly string[]) => compare(ids, measuring);
  return concludeEvaluation({ ...shared, results, evaluation, compare: compareAll }, signal);
}

/** Loads what reads other results only where there are any: it is dear. */
async function openOthers(places: readonly string[]): Promise<Compare> {
  if (places.length === 0) return async () => [];
  const { openCompared } = await import("./evaluation/compare-results.ts");
  return openCompared(places);
}

/** The chosen instances, and how many fit the filter whatever the limit. */
async function readInstances(selection: InstanceSelection): Promise<ChosenInstances> {
  const { file } = selection;
  if (file === undefined) return { file, instances: [], fitting: undefined };
  const source = await readFile(file, "utf8").catch((error: unknown) => {
    throw new MagisError("CONFIGURATION_INVALID", `The file ${file} could not be read.`, {}, error);
  });
  const read = parseInstances(source);
  if ("faults" in read) {
    const faults = read.faults.map((fault) => `${file}, ${fault}`).join("\n");
    throw new MagisError("CONFIGURATION_INVALID", faults, { faults: read.faults });
  }
  const fitting = selectInstances(read.instances, { filter: selection.filter });
  if (fitting.length > 0) return { file, instances: fitting.slice(0, selection.limit), fitting: fitting.length };
  throw new MagisError("CONFIGURATION_INVALID", `No instance of ${file} fits --filter ${selection.filter}.`);
}

/**
 * The part of the configuration that decides the results, to compare two calls: not where, how many, or how parallel.
 */
function configurationOfEval(
  { system, ablate, files, locate, memory, judge, check }: EvaluationMethod,
  config: CommandConfig,
  version: string,
): Configuration {
  const { model } = config;
  const { budget: _money, ...byOption } = valuesByOption(config);
  return {
    magis: version,
    ...byOption,
    ablate: [...ablate],
    system,
    files: files ?? null,
    locate: locate ?? null,
    memory,
    effort: [model.effort.strong ?? null, model.effort.fast ?? null],
    check,
    judge: judge === "strong" ? model.models.strong : (judge?.name ?? null),
    "instance-budget": { ...config.budget },
  };
}

/** The values of the settings that the command line can choose, by the names of their options. */
function valuesByOption(config: CommandConfig): Readonly<Record<string, unknown>> {
  const values = settingsIn("environment", "option").map(([, { environment, option }]) => {
    const { place } = environment;
    return [option.name, place && valueAt(config, place)] as const;
  });
  return Object.fromEntries(values);
}
