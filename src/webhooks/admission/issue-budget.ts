import type { RunRequest } from "../../data/run-request.ts";
import { type Budget, formatMoney } from "../../data/spend.ts";
import type { Spent } from "../../report/issue-spending.ts";

/**
 * The request with what is left of its issue's budget; or a sentence that says it is used up. `own`: the budget of a run
 * whose request names none.
 */
export function limitToIssue(
  request: RunRequest,
  spent: Spent,
  own: Budget,
): { request: RunRequest } | { refused: string } {
  const { settings } = request;
  const budget = settings?.budget ?? own;
  const left = { ...budget, money: budget.money - spent.money, tokens: budget.tokens - spent.tokens };
  if (left.money <= 0 || left.tokens <= 0) {
    const of = `${formatMoney(spent.money)} of ${formatMoney(budget.money)}`;
    return {
      refused: `The budget of this issue is used up: earlier jobs have spent ${of}, by the tracking comments on it.`,
    };
  }
  return { request: settings ? { ...request, settings: { ...settings, budget: left } } : request };
}
