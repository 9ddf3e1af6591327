import { DBOS, Error as DbosError } from "@dbos-inc/dbos-sdk";
import { MagisError } from "../model/error.ts";
import {
  type AdmissionDecision,
  type Delivery,
  type RepositoryId,
  type RunRequest,
  readDelivery,
} from "../model/run-request.ts";
import { QUEUES, WORKFLOWS } from "./engine.ts";
import { MAX_RECOVERY_ATTEMPTS, PATIENT_POLICY, runStep, type StepRunner, type WorkflowContext } from "./step.ts";
import { type Suspension, suspended, within } from "./suspension.ts";

type Cancellation = Extract<AdmissionDecision, { cancel: unknown }>["cancel"];

/** What comes of deliveries is put into the queue, or taken out of it. */
export interface RunQueue {
  enqueue(request: RunRequest): Promise<string>;
  /** the runs of an issue or a pull request that work or wait */
  findUnfinished(repository: RepositoryId, issue: number): Promise<readonly RunRequest[]>;
}

/** Registers the workflow of a delivery with DBOS, before its launch: it is admitted, then a run is queued or ended. */
export function registerDeliveries(
  { handlers, suspension, log, onQueueChange }: WorkflowContext,
  queue: RunQueue,
): (delivery: Delivery) => Promise<string> {
  const cancel = async ({ repository, issue, by, also = [] }: Cancellation, runner: StepRunner): Promise<string> => {
    const runs = await runStep(runner, "find", async () => {
      const found = await Promise.all([issue, ...also].map((number) => queue.findUnfinished(repository, number)));
      return found.flat();
    });
    await runStep(runner, "cancel", () => cancelRuns(suspension, runs));
    log.info({ runs: runs.map(({ id }) => id), by }, "runs cancelled");
    for (const request of runs) await runStep(runner, `tell ${request.id}`, () => handlers.cancelled(request, by));
    return `cancelled ${runs.length}`;
  };

  return DBOS.registerWorkflow(
    (stored: Delivery) =>
      suspension.run(stored.id, async (run) => {
        const delivery = readDelivery(stored);
        const runner = { run, suspension, log, policy: PATIENT_POLICY };
        const decision = await runStep(runner, "admit", () => handlers.admit(delivery));
        if (decision === undefined) return "nothing to do";
        if (suspension.stopping) return suspended<string>();
        const outcome =
          "start" in decision ? await queue.enqueue(decision.start) : await cancel(decision.cancel, runner);
        log.info({ delivery: delivery.id, outcome }, "delivery admitted");
        onQueueChange();
        return outcome;
      }),
    { name: WORKFLOWS.deliver, maxRecoveryAttempts: MAX_RECOVERY_ATTEMPTS },
  );
}

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
async function cancelRuns(suspension: Suspension, requests: readonly RunRequest[]): Promise<void> {
  for (const { id } of requests) {
    await DBOS.cancelWorkflow(id);
    suspension.active.get(id)?.lose(new MagisError("RUN_CANCELLED", "The run was cancelled."));
    await within(REST_WITHIN_MS, suspension.rest(id), () => undefined);
  }
}
