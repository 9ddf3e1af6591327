import { setTimeout as delay } from "node:timers/promises";
import { cancelled } from "../../model/cancellation.ts";
import { MagisError } from "../../model/error.ts";
import type { LanguageModel, ModelAnswer, ModelRequest } from "../../ports/language-model.ts";
import type { RunStore } from "../../ports/runs.ts";
import type { BudgetKeeper } from "./budget-keeper.ts";
import { addCosts, type CallCost, costOfError } from "./call-cost.ts";
import { withBudget } from "./with-budget.ts";
import { withPaidOnce } from "./with-paid-once.ts";

/** What a run's model is metered with. */
interface MeteringInput {
  readonly store: RunStore;
  readonly runId: string;
  readonly keeper: BudgetKeeper;
}

/** `model` as the agents of one run get it: paid once, asked again when an answer breaks off, within the budget. */
export function withMetering(model: LanguageModel, { store, runId, keeper }: MeteringInput): LanguageModel {
  return withPaidOnce(withRetry(withBudget(model, keeper)), store, runId);
}

const ATTEMPTS = 3;

const NOTHING: CallCost = { usage: { input: 0, cacheWrite: 0, cacheRead: 0, output: 0 }, money: 0 };

/**
 * `model` that asks again, twice at most, when an answer broke off on its way (MODEL_UNAVAILABLE with `data.brokenOff`),
 * after `pauseMs` and then twice that. The answer, or the last error, carries the cost of all attempts. It belongs
 * around `withBudget`: every attempt then needs room of its own, and the budget holds.
 */
export function withRetry(model: LanguageModel, pauseMs = 1000): LanguageModel {
  const complete = async (request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> => {
    let before = NOTHING;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await model.complete(request, signal);
        return { ...answer, ...addCosts(before, answer) };
      } catch (error) {
        if (!(error instanceof MagisError)) throw error;
        const cost = costOfError(error);
        if (cost !== undefined) before = addCosts(before, cost);
        if (error.data.brokenOff !== true || attempt === ATTEMPTS) throw withCost(error, cost, before);
      }
      await delay(pauseMs * attempt, undefined, { signal }).catch((error: unknown) => {
        throw withCost(cancelled(), undefined, before, error);
      });
    }
  };
  return { complete, worstCase: (request) => model.worstCase(request) };
}

/** `error` with the cost of all attempts; unchanged when no attempt was ever made. */
function withCost(error: MagisError, own: CallCost | undefined, all: CallCost, cause: unknown = error): MagisError {
  if (own === undefined && all === NOTHING) return error;
  return new MagisError(error.code, error.message, { ...error.data, ...all }, cause);
}
