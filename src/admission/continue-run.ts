import type { Order } from "../model/order.ts";
import { orderAnswer } from "../report/order-answer.ts";
import { goOn } from "./go-on.ts";
import type { OrderContext } from "./order-context.ts";

/**
 * `/magis continue [+amount]`: goes on with the run that ended at its budget, with `amount` US dollars more; by default
 * as much again as a run may cost. On the pull request its own latest run comes first.
 */
export async function continueRun(context: OrderContext, amount: number | undefined): Promise<Order | undefined> {
  const { delivery, deps, onPullRequest, latest, followUp, unfinished, verbs } = context;
  const candidates = onPullRequest ? [followUp, latest] : [latest, followUp];
  const ended = candidates.find((run) => run?.state?.result?.kind === "budget-reached");
  if (!ended || unfinished.length > 0) {
    await context.answer(orderAnswer.nothing("No run has ended at its budget here.", verbs, onPullRequest));
    return undefined;
  }
  const allowance = ended.request.allowance + (amount ?? deps.budget.money);
  return { start: goOn(delivery, ended.request, { allowance }) };
}
