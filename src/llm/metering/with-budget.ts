import { isMagisError } from "../../model/magis-error.ts";
import type { LanguageModel, ModelAnswer, ModelRequest } from "../../ports/language-model.ts";
import type { BudgetKeeper } from "./budget-keeper.ts";
import { budgetReached } from "./budget-reached.ts";
import { costOfError } from "./cost-of-error.ts";
import { countTokens } from "./count-tokens.ts";
import { startDeadline } from "./start-deadline.ts";

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
