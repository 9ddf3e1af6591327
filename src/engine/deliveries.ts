import { DBOS, Error as DbosError } from "@dbos-inc/dbos-sdk";
import { MagisError } from "../model/error.ts";
import type { AdmissionDecision, Delivery, RunRequest } from "../model/run-request.ts";
import { QUEUES } from "./engine.ts";
import { type Suspension, within } from "./suspension.ts";

export type Cancellation = Extract<AdmissionDecision, { cancel: unknown }>["cancel"];

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

/** How long the work of a cancelled run may take to come to rest before its end is told all the same. */
const REST_WITHIN_MS = 2_000;

/** Ends runs on this machine at once and on others at their next heartbeat; returns when their work here has come to rest. */
export async function cancelRuns(suspension: Suspension, requests: readonly RunRequest[]): Promise<void> {
  for (const { id } of requests) {
    await DBOS.cancelWorkflow(id);
    suspension.active.get(id)?.lose(new MagisError("RUN_CANCELLED", "The run was cancelled."));
    await within(REST_WITHIN_MS, suspension.rest(id), () => undefined);
  }
}
