import type { Delivery } from "../domain/run/delivery.ts";
import type { Order } from "../domain/run/order.ts";
import type { CodeHost } from "../ports/code-host/code-host.ts";
import type { HandlerDependencies } from "./create-handlers.ts";

/** Commands other than `resolve`, the label taken off, and remarks on an issue whose plan waits for approval. */
export async function takeOrder(
  _delivery: Delivery,
  _host: CodeHost,
  _deps: HandlerDependencies,
): Promise<Order | undefined> {
  return undefined;
}
