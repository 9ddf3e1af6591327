import type { PromptLibrary } from "../llm/load-prompts.ts";
import { createBudgetKeeper } from "../llm/metering/budget-keeper.ts";
import { withBudget } from "../llm/metering/with-budget.ts";
import { withRetry } from "../llm/metering/with-retry.ts";
import { PLAIN_CONTEXT } from "../llm/prompt-context.ts";
import { createPromptRunner } from "../llm/prompt-runner.ts";
import { NO_SPEND } from "../model/spend.ts";
import type { LanguageModel } from "../ports/language-model.ts";
import { CorrelationShape } from "./correlation-shape.ts";
import type { Instance } from "./instance.ts";
import { issueOfInstance } from "./issue-of-instance.ts";
import type { InstanceMetrics } from "./measures/instance-metrics.ts";
import type { PlannedTask } from "./measures/read-record.ts";

/** Characters of the reference change that are shown. */
const MAX_PATCH_LENGTH = 60_000;
const MINUTES = 10;

export interface Judged {
  readonly correlation: NonNullable<InstanceMetrics["correlation"]> | undefined;
  /** what it cost, also when no score came out */
  readonly money: number;
  /** why there is no score */
  readonly failure?: string;
}

/** Scores an instance's tasks within `money` US dollars. Never throws but for a cancelled run. */
export type Judge = (
  instance: Instance,
  tasks: readonly PlannedTask[],
  options: { readonly money: number; readonly hints: boolean },
  signal: AbortSignal,
) => Promise<Judged>;

/**
 * The judge of task correlation (the paper's section 4.4): a model scores from 1 to 5 how far the Manager's task
 * descriptions meet the reference change. `judgeModel`: instead of the strong tier's configured one.
 */
export function createJudge(deps: {
  readonly model: LanguageModel;
  readonly prompts: PromptLibrary;
  readonly judgeModel?: string | undefined;
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
    const context = { ...PLAIN_CONTEXT, ...(deps.judgeModel && { models: { strong: deps.judgeModel } }) };
    const runner = createPromptRunner(deps.prompts, model, signal, context);
    try {
      const inputs = {
        issue: issueOfInstance(instance, hints),
        tasks,
        patch: instance.patch.slice(0, MAX_PATCH_LENGTH),
      };
      const { score, reason } = await runner.ask("j01-judge-correlation", inputs, CorrelationShape);
      const spend = keeper.spend();
      return {
        correlation: { score, reason, model: answeredBy, money: spend.money, tokens: spend.tokens },
        money: spend.money,
      };
    } catch (error) {
      signal.throwIfAborted();
      const failure = error instanceof Error ? error.message : String(error);
      return { correlation: undefined, money: keeper.spend().money, failure };
    }
  };
}
