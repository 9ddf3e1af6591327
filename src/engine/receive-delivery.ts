import { DBOS, Error as DbosError } from "@dbos-inc/dbos-sdk";
import type { Delivery } from "../model/delivery.ts";
import { MagisError } from "../model/magis-error.ts";
import { QUEUES } from "./names.ts";
import { within } from "./within.ts";

/** GitHub gives a webhook 10 s; while the database is away DBOS would wait for ever. */
const ANSWER_WITHIN_MS = 8_000;

/**
 * Keeps a delivery under its GUID, so that a redelivery is known. Returns as soon as it is in the database.
 * Throws DATABASE_UNAVAILABLE when that takes more than 8 s; the sender is then to deliver it again.
 */
export async function receiveDelivery(
  deliver: (delivery: Delivery) => Promise<string>,
  delivery: Delivery,
): Promise<"recorded" | "known"> {
  const kept = DBOS.startWorkflow(deliver, {
    workflowID: delivery.id,
    workflowIDReusePolicy: "reject",
    queueName: QUEUES.deliveries,
  })(delivery).then(
    () => "recorded" as const,
    (error: unknown) => {
      if (DbosError.isWorkflowIDInUseError(error)) return "known" as const;
      throw unavailable(error);
    },
  );
  return within<"recorded" | "known">(ANSWER_WITHIN_MS, kept, () => {
    throw unavailable();
  });
}

function unavailable(cause?: unknown): MagisError {
  return new MagisError(
    "DATABASE_UNAVAILABLE",
    "The delivery could not be recorded; please deliver it again.",
    {},
    cause,
  );
}
