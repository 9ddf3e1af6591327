import { z } from "zod";
import { NO_SPEND } from "../../src/data/spend.ts";
import type { LanguageModel } from "../../src/models/language-model.ts";
import { createBudgetKeeper } from "../../src/models/metering/budget-keeper.ts";
import { withBudget, withRetry } from "../../src/models/metering/metered-model.ts";
import type { PromptLibrary } from "../../src/models/prompt-library.ts";
import { createPromptRunner } from "../../src/models/prompt-runner.ts";
import { PLAIN_CONTEXT } from "../../src/models/render-prompt.ts";
import { cutEnd } from "../../src/text/cut.ts";
import { type Instance, issueOfInstance } from "./instances.ts";
import type { InstanceMetrics, PlannedTask } from "./measures/metrics.ts";
import { parsePatch } from "./measures/patch.ts";

/** Characters shown of the reference change. */
const MAX_PATCH_LENGTH = 60_000;

/** Minutes for a judgement, by default. */
const MINUTES = 10;

export interface Judged {
  /** undefined: no description has a score */
  correlation: NonNullable<InstanceMetrics["correlation"]> | undefined;
  /** what it cost, even without a score */
  money: number;
  /** why a description has no score */
  failure?: string | undefined;
}

/** Scores each of an instance's tasks within `money` US dollars. Throws only for a cancelled run. */
export type Judge = (
  instance: Instance,
  tasks: readonly PlannedTask[],
  options: { money: number; hints: boolean },
  signal: AbortSignal,
) => Promise<Judged>;

/**
 * The judge of task correlation (paper, 4.3 and Appendix G): a model scores from 1 to 5 how well each of the Manager's
 * task descriptions matches the reference change of its file, or all of the reference if that leaves the file alone.
 * `judgeModel` replaces the configured strong model.
 */
export function createJudge(deps: {
  model: LanguageModel;
  prompts: PromptLibrary;
  judgeModel?: string | undefined;
}): Judge {
  return async (instance, tasks, { money, hints }, signal) => {
    const budget = { money, tokens: Number.MAX_SAFE_INTEGER, minutes: MINUTES };
    const keeper = createBudgetKeeper(budget, NO_SPEND, () => performance.now());
    let answeredBy = "";
    const metered = withRetry(withBudget(deps.model, keeper));
    const model: LanguageModel = {
      ...metered,
      complete: async (request, abort) => {
        const answer = await metered.complete(request, abort);
        answeredBy = answer.model;
        return answer;
      },
    };
    const models = deps.judgeModel === undefined ? undefined : { strong: deps.judgeModel };
    const context = { ...PLAIN_CONTEXT, models };
    const runner = createPromptRunner(deps.prompts, model, signal, context);
    const issue = issueOfInstance(instance, hints);
    let failure: string | undefined;
    const scoreOf = async (task: PlannedTask) => {
      try {
        const patch = cutEnd(changeOfFile(instance.patch, task.path), MAX_PATCH_LENGTH);
        const given = await runner.ask("j01-judge-correlation", { issue, task, patch }, CorrelationShape);
        return [{ path: task.path, ...given }];
      } catch (error) {
        signal.throwIfAborted();
        failure = error instanceof Error ? error.message : String(error);
        return [];
      }
    };
    const scores = (await Promise.all(tasks.map(scoreOf))).flat();
    const { money: cost, tokens } = keeper.spend();
    const correlation = { scores, tasks: tasks.length, model: answeredBy, money: cost, tokens };
    return { correlation: scores.length > 0 ? correlation : undefined, money: cost, failure };
  };
}

/** The part of a patch that changes the file; all of the patch if none does. */
function changeOfFile(patch: string, path: string): string {
  const parts = patch.split(/^(?=diff --git )/m);
  const own = parts.filter((part) => parsePatch(part).some((file) => file.oldPath === path || file.newPath === path));
  return own.length > 0 ? own.join("") : patch;
}

/** The judge's answer: the score of one description against the reference change. */
const CorrelationShape = z.object({
  reason: z.string().trim().min(1).describe("what the task shares with the reference change, and what not"),
  score: z.int().min(1).max(5),
});
