import type { CommandConfig } from "../config/environment/config-config.ts";
import type { EvaluationOptions } from "../evaluation/evaluation-options.ts";
import type { Configuration } from "../evaluation/results/result-folder.ts";

/** What decides about the results, for two calls to be compared: not where, how many, or how many at a time. */
export function configurationOfEval(
  { ablate, files, judge, judgeModel }: EvaluationOptions,
  { agents, model, budget }: CommandConfig,
  version: string,
): Configuration {
  return {
    magis: version,
    ...{ profile: agents.profile, candidates: agents.candidates, rounds: agents.reviewRounds },
    ...{ ablate: [...ablate], files: files ?? null },
    ...{ model: model.models.strong, "fast-model": model.models.fast },
    effort: [model.effort.strong ?? null, model.effort.fast ?? null],
    judge: judge ? (judgeModel ?? model.models.strong) : null,
    "instance-budget": { ...budget },
  };
}
