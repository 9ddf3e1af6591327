import type { Budget, BudgetLimit } from "../../model/budget.ts";
import { MagisError } from "../../model/magis-error.ts";

/** BUDGET_REACHED in words, with `data.limit`, and `data.usage` and `data.money` when a call was made. */
export function budgetReached(limit: BudgetLimit, budget: Budget, cost: object = {}): MagisError {
  const words: Record<BudgetLimit, string> = {
    money: `${budget.money.toFixed(2)} US dollars`,
    tokens: `${budget.tokens.toLocaleString("en-US")} tokens`,
    minutes: `${budget.minutes} minutes of work`,
  };
  return new MagisError("BUDGET_REACHED", `The run has reached its budget of ${words[limit]}.`, { limit, ...cost });
}
