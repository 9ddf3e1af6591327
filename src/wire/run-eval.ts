import { readFile } from "node:fs/promises";
import { DEFAULT_PRICES } from "../adapters/anthropic/default-prices.ts";
import { createRunGrader } from "../adapters/create-run-grader.ts";
import { createOpenMirror } from "../adapters/git/create-open-mirror.ts";
import type { CliContext } from "../cli/cli-command.ts";
import { gitEnvironment, readCommandConfig } from "../config/environment/config.ts";
import { checkInstances } from "../evaluation/check-instances.ts";
import { concludeEvaluation } from "../evaluation/conclude-evaluation.ts";
import type { EvaluationEnd } from "../evaluation/evaluation-end.ts";
import type { EvaluationOptions } from "../evaluation/evaluation-options.ts";
import type { Instance } from "../evaluation/instance.ts";
import { createLunrBaseline } from "../evaluation/measures/create-lunr-baseline.ts";
import { parseInstances } from "../evaluation/parse-instances.ts";
import { readCompared } from "../evaluation/report/read-compared.ts";
import { openResultFolder } from "../evaluation/results/open-result-folder.ts";
import { runEvaluation } from "../evaluation/run-evaluation.ts";
import { selectInstances } from "../evaluation/select-instances.ts";
import { MagisError } from "../model/magis-error.ts";
import { configurationOfEval } from "./configuration-of-eval.ts";
import { openEvalSolver } from "./open-eval-solver.ts";

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
  const config = readCommandConfig(DEFAULT_PRICES, chosenVariables(options), ".env");
  const wanted = {
    version,
    began: new Date().toISOString(),
    configuration: configurationOfEval(options, config, version),
  };
  const solver = await openEvalSolver(options, config);
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

/** What the command line says in place of variables. */
function chosenVariables(options: EvaluationOptions): Record<string, string> {
  const { model, fastModel, candidates, rounds, profile, instanceBudget } = options;
  const chosen = {
    ...{ MAGIS_MODEL_STRONG: model, MAGIS_MODEL_FAST: fastModel, MAGIS_PROFILE: profile },
    ...{ MAGIS_CANDIDATES: candidates, MAGIS_REVIEW_ROUNDS: rounds, MAGIS_BUDGET_MONEY: instanceBudget },
  };
  return Object.fromEntries(
    Object.entries(chosen).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
