import { z } from "zod";
import { createBudgetKeeper } from "../llm/metering/budget-keeper.ts";
import { withBudget } from "../llm/metering/with-budget.ts";
import { withRetry } from "../llm/metering/with-metering.ts";
import type { PromptLibrary } from "../llm/prompt-library.ts";
import { createPromptRunner } from "../llm/prompt-runner.ts";
import { PLAIN_CONTEXT } from "../llm/render-prompt.ts";
import type { IssueSnapshot } from "../model/discussion.ts";
import { NO_SPEND } from "../model/spend.ts";
import type { LanguageModel } from "../ports/language-model.ts";
import { cutEnd } from "../text/cut.ts";
import type { Instance } from "./instances.ts";
import type { InstanceMetrics, PlannedTask } from "./measures/metrics.ts";

/** Characters of the reference change that are shown. */
const MAX_PATCH_LENGTH = 60_000;

/** Minutes that a judgement may take when it is not told. */
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
  readonly minutes?: number | undefined;
}): Judge {
  return async (instance, tasks, { money, hints }, signal) => {
    const budget = { money, tokens: Number.MAX_SAFE_INTEGER, minutes: deps.minutes ?? MINUTES };
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
    try {
      const inputs = {
        issue: issueOfInstance(instance, hints),
        tasks,
        patch: cutEnd(instance.patch, MAX_PATCH_LENGTH),
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

/** The judge's answer: the paper's score (section 4.4) of the tasks against the reference change. */
const CorrelationShape = z.object({
  reason: z.string().trim().min(1).describe("what the tasks share with the reference change, and what not"),
  score: z.int().min(1).max(5),
});

const MAX_TITLE_LENGTH = 256;

/** An instance's issue: the first line of its text is the title; its hints are the discussion, unless they are left out. */
export function issueOfInstance({ problem, hints, repository }: Instance, withHints: boolean): IssueSnapshot {
  const [first = "", ...rest] = problem.trim().split("\n");
  const title = first.replace(/^#+\s*/, "").trim();
  const discussion = withHints && hints.trim() !== "" ? [{ author: "contributor", body: hints.trim() }] : [];
  return {
    number: 0,
    title: title.slice(0, MAX_TITLE_LENGTH),
    author: "reporter",
    url: `https://github.com/${repository}`,
    body: title.length > MAX_TITLE_LENGTH ? problem.trim() : rest.join("\n").trim(),
    discussion,
    hint: "",
  };
}
