import type { Delivery } from "../domain/run/delivery.ts";
import type { Order } from "../domain/run/order.ts";
import type { CodeHost } from "../ports/code-host/code-host.ts";
import type { HandlerDependencies } from "./create-handlers.ts";

/** Reviews of the bot's pull request and remarks on it. */
export async function admitFeedback(
  _delivery: Delivery,
  _host: CodeHost,
  _deps: HandlerDependencies,
): Promise<Order | undefined> {
  return undefined;
}
