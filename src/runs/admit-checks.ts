import type { Delivery } from "../domain/run/delivery.ts";
import type { Order } from "../domain/run/order.ts";
import type { CodeHost } from "../ports/code-host/code-host.ts";
import type { HandlerDependencies } from "./create-handlers.ts";

/** Ended checks of the bot's pull request. */
export async function admitChecks(
  _delivery: Delivery,
  _host: CodeHost,
  _deps: HandlerDependencies,
): Promise<Order | undefined> {
  return undefined;
}
