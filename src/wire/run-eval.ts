import { readFile } from "node:fs/promises";
import { createOpenMirror } from "../adapters/git/mirror.ts";
import { createRunGrader } from "../adapters/run-grader.ts";
import type { CliContext } from "../cli/cli-command.ts";
import type { CommandConfig } from "../config/environment/config.ts";
import { valuesByOption } from "../config/environment/operator.ts";
import { workingEnvFile } from "../config/environment/own-env-file.ts";
import { type Environment, gitEnvironment, readCommandConfig } from "../config/environment/read-config.ts";
import { concludeEvaluation } from "../evaluation/conclude-evaluation.ts";
import type { EvaluationEnd, EvaluationMethod, EvaluationOptions } from "../evaluation/evaluating.ts";
import {
  checkInstances,
  type Instance,
  type InstanceSelection,
  parseInstances,
  selectInstances,
} from "../evaluation/instances.ts";
import { readCompared } from "../evaluation/report/tables.ts";
import { type Configuration, openResultFolder } from "../evaluation/results/result-folder.ts";
import { MagisError } from "../model/error.ts";
import { DEFAULT_PRICES } from "../model/prices.ts";
import { ownStateFolder } from "./own-state.ts";

const REPORT_ONLY = { unfinished: new Map<string, string>(), budgetReached: false };

/**
 * Runs `magis eval`. Checks everything that can be wrong before anything is paid for. Throws CONFIGURATION_INVALID for
 * errors in options, variables, instances, mirrors and results.
 */
export async function runEval(
  options: EvaluationOptions,
  context: CliContext,
  environment: Environment,
): Promise<EvaluationEnd> {
  const { output, selection, report, run } = options;
  const { signal, progress, version } = context;
  const instances = await readInstances(selection);
  const compared = await readCompared(report.compare);
  const runGrader = createRunGrader(gitEnvironment(environment));
  const shared = { report, instances, file: selection.file, compared, runGrader, version };
  if (run === undefined) {
    const results = await openResultFolder(output, {});
    return concludeEvaluation({ ...shared, results, evaluation: REPORT_ONLY }, signal);
  }
  const { method, budget = Number.POSITIVE_INFINITY } = run;
  const envFile = workingEnvFile(environment, ownStateFolder(environment));
  const config = readCommandConfig(DEFAULT_PRICES, run.variables, envFile, environment, progress);
  const wanted = {
    version,
    began: new Date().toISOString(),
    configuration: configurationOfEval(method, config, version),
  };
  // Report errors in options, files and variables before loading the workflow.
  const { openEvalSolver } = await import("./open-eval-solver.ts");
  const { runEvaluation } = await import("../evaluation/run-evaluation.ts");
  const solver = await openEvalSolver(method, output, { config, environment }, progress);
  const mirrors = await checkInstances(instances, createOpenMirror(run.mirrors, gitEnvironment(environment)));
  const results = await openResultFolder(output, { wanted, fresh: run.fresh });
  const limits = {
    jobs: run.jobs,
    budget,
    instanceBudget: Math.min(config.budget.money, budget),
    candidates: config.agents.candidates,
  };
  const name = `magis-${version}-${config.agents.profile}-${config.model.models.strong}`;
  const evaluation = await runEvaluation(
    { instances, mirrors, results, solver, method, limits, name, progress },
    signal,
  );
  return concludeEvaluation({ ...shared, results, evaluation }, signal);
}

async function readInstances(selection: InstanceSelection): Promise<readonly Instance[]> {
  const { file } = selection;
  if (file === undefined) return [];
  const source = await readFile(file, "utf8").catch((error: unknown) => {
    throw new MagisError("CONFIGURATION_INVALID", `The file ${file} could not be read.`, {}, error);
  });
  const read = parseInstances(source);
  if ("faults" in read) {
    const faults = read.faults.map((fault) => `${file}, ${fault}`).join("\n");
    throw new MagisError("CONFIGURATION_INVALID", faults, { faults: read.faults });
  }
  const chosen = selectInstances(read.instances, selection);
  if (chosen.length > 0) return chosen;
  throw new MagisError("CONFIGURATION_INVALID", `No instance of ${file} fits --filter ${selection.filter}.`);
}

/**
 * The part of the configuration that decides the results, to compare two calls: not where, how many, or how parallel.
 */
function configurationOfEval(
  { ablate, files, judge, check, batch }: EvaluationMethod,
  config: CommandConfig,
  version: string,
): Configuration {
  const { model } = config;
  const { budget: _money, ...byOption } = valuesByOption(config);
  return {
    magis: version,
    ...byOption,
    ablate: [...ablate],
    files: files ?? null,
    effort: [model.effort.strong ?? null, model.effort.fast ?? null],
    check,
    judge: judge === "strong" ? model.models.strong : (judge?.name ?? null),
    "instance-budget": { ...config.budget },
    batch: batch || null,
  };
}
