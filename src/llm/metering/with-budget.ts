import { isMagisError } from "../../model/error.ts";
import type { LanguageModel, ModelAnswer, ModelRequest } from "../../ports/language-model.ts";
import { type BudgetKeeper, budgetReached, costOfError, countTokens } from "./budget-keeper.ts";

/**
 * `model` within the run's budget: each call reserves its worst case first and counts what it really used, failed or not.
 * Throws BUDGET_REACHED with `data.limit`: before a call that has no room, in a call that the minutes run out in, and
 * after an answer that was cut off because there was no room for the whole of it (these two with usage and money).
 */
export function withBudget(model: LanguageModel, keeper: BudgetKeeper): LanguageModel {
  const complete = async (request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> => {
    const deadline = startDeadline(keeper.timeLeft, signal);
    try {
      const worstCase = (maxTokens: number) => model.worstCase({ ...request, maxTokens });
      const room = await keeper.reserve({ maxTokens: request.maxTokens, worstCase }, deadline.signal);
      const answer = await settled(room.settle, () =>
        model.complete({ ...request, maxTokens: room.maxTokens }, deadline.signal),
      );
      if (answer.stop === "length" && room.maxTokens < request.maxTokens) {
        throw budgetReached(room.limit, keeper.budget, { usage: answer.usage, money: answer.money });
      }
      return answer;
    } catch (error) {
      if (!deadline.passed() || !isMagisError(error, "RUN_CANCELLED")) throw error;
      throw budgetReached("minutes", keeper.budget, costOfError(error));
    } finally {
      deadline.close();
    }
  };
  return { complete, worstCase: (request) => model.worstCase(request) };
}

async function settled(
  settle: (used: { tokens: number; money: number }) => void,
  call: () => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  try {
    const answer = await call();
    settle({ tokens: countTokens(answer.usage), money: answer.money });
    return answer;
  } catch (error) {
    const cost = costOfError(error);
    settle({ tokens: cost === undefined ? 0 : countTokens(cost.usage), money: cost?.money ?? 0 });
    throw error;
  }
}

/** A signal that aborts with another one, or when time is up. */
interface Deadline {
  readonly signal: AbortSignal;
  /** it was the time, not the other signal */
  passed(): boolean;
  /** lets go of timer and listener */
  close(): void;
}

/** A longer timer than this fires at once. */
const MAX_TIMER = 2 ** 31 - 1;

/** Aborts when `timeLeft` (milliseconds) comes to zero, or with `outer`. */
function startDeadline(timeLeft: () => number, outer: AbortSignal): Deadline {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const check = (): void => {
    const left = timeLeft();
    if (left > 0) {
      timer = setTimeout(check, Math.min(Math.ceil(left), MAX_TIMER));
      return;
    }
    over = !outer.aborted;
    abort();
  };
  if (outer.aborted) abort();
  outer.addEventListener("abort", abort, { once: true });
  check();
  return {
    signal: controller.signal,
    passed: () => over,
    close: () => {
      clearTimeout(timer);
      outer.removeEventListener("abort", abort);
    },
  };
}
