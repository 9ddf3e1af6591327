import type { Order } from "../model/order.ts";
import { orderAnswer } from "../report/order-answer.ts";
import { goOn } from "./go-on.ts";
import type { OrderContext } from "./order-context.ts";
import { waitingPlan } from "./waiting-plan.ts";

/** `/magis approve`: carries out the plan that waits; with words it is a change of the plan. */
export async function approve(context: OrderContext, words: string): Promise<Order | undefined> {
  const waiting = waitingPlan(context);
  if (!waiting || context.onPullRequest) {
    await context.answer(orderAnswer.nothing("No plan waits for approval here.", context.verbs, context.onPullRequest));
    return undefined;
  }
  const gate = words === "" ? "none" : "plan";
  return {
    start: goOn(context.delivery, waiting, { work: { kind: "resolve", gate }, ...(words !== "" && { words }) }),
  };
}
