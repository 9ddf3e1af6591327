import type { Order } from "../model/order.ts";
import { orderAnswer } from "../report/order-answer.ts";
import type { OrderContext } from "./order-context.ts";

/** `/magis cancel`, and the label taken off: ends what works or waits on the issue and on its pull request. */
export async function cancel(context: OrderContext): Promise<Order | undefined> {
  const { delivery, issue, pull, unfinished, verbs, onPullRequest } = context;
  if (unfinished.length === 0) {
    await context.answer(orderAnswer.nothing("Nothing is at work or waiting for its turn here.", verbs, onPullRequest));
    return undefined;
  }
  const { repository, actor: by } = delivery;
  return { cancel: { repository, issue, by, ...(pull && { also: [pull.number] }) } };
}
