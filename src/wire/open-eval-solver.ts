import { createOpenLocalRepository } from "../adapters/git/create-open-local-repository.ts";
import { gitEnvironment } from "../config/environment/config.ts";
import type { CommandConfig } from "../config/environment/config-config.ts";
import { createJudge } from "../evaluation/create-judge.ts";
import type { EvaluationInput } from "../evaluation/evaluating.ts";
import type { EvaluationOptions } from "../evaluation/evaluation-options.ts";
import { issueOfInstance } from "../evaluation/issue-of-instance.ts";
import type { SolveInstance } from "../evaluation/solve-instance.ts";
import { MagisError } from "../model/magis-error.ts";
import type { Log } from "../ports/log.ts";
import { resolveLocally } from "../workflow/dry-run/resolve-locally.ts";
import { openLocalRunner } from "./open-local-runner.ts";

/** What the runs of an evaluation would log is in their reports. */
const QUIET: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * What solves and judges instances: the whole workflow as `magis resolve` runs it, up to the patch, on the mirror's commit.
 * Every run has a store and an evolution memory of its own. Throws CONFIGURATION_INVALID, PROMPT_INVALID.
 */
export async function openEvalSolver(
  options: EvaluationOptions,
  config: CommandConfig,
): Promise<Pick<EvaluationInput, "solve" | "judge" | "parser">> {
  const { judgeModel } = options;
  if (judgeModel !== undefined && !Object.hasOwn(config.model.prices, judgeModel)) {
    const sentence = `--judge-model names ${judgeModel}, whose price is not known: add it to MAGIS_PRICES.`;
    throw new MagisError("CONFIGURATION_INVALID", sentence);
  }
  const openRepository = createOpenLocalRepository(gitEnvironment(), config.clone);
  const open = await openLocalRunner(config);
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
    const { result, patch, report } = await resolveLocally(
      {
        ...{ id: instance.id, repository: { owner, name, installationId: 0 }, name: instance.repository },
        ...{ issue: issueOfInstance(instance, withHints), source: { url: folder, commit: instance.baseCommit } },
        ...{ requestedAt: new Date().toISOString(), through: "code", ...(candidates && { files: candidates }) },
        chosen: {
          ...{ candidates: config.agents.candidates, reviewRounds: config.agents.reviewRounds },
          ...{ models: config.model.models, profile: config.agents.profile, ablate: options.ablate },
          budget: { ...config.budget, money },
        },
      },
      open({ openRepository, log: QUIET, watcher }),
      signal,
    );
    return { result, report, patch: new TextDecoder().decode(patch) };
  };
  const { model, prompts, parser } = open({ openRepository, log: QUIET });
  return { solve, parser, ...(options.judge && { judge: createJudge({ model, prompts, judgeModel }) }) };
}
