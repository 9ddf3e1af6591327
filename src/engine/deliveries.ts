import { DBOS, Error as DbosError } from "@dbos-inc/dbos-sdk";
import type { Pool } from "pg";
import { MagisError } from "../model/error.ts";
import {
  type AdmissionDecision,
  asksForWork,
  type Delivery,
  endsWork,
  type RepositoryId,
  type RunRequest,
} from "../model/run-request.ts";
import type { UnreportedEnd } from "../model/run-state.ts";
import { QUEUES, WORKFLOWS } from "./engine.ts";
import { findBefore, findEnded, laneOf, laneOfDelivery, nextArrival, UNTIL_RELEASED_SECONDS } from "./lanes.ts";
import { keepRequest, wakeRuns } from "./runs.ts";
import { isReplay } from "./sql.ts";
import { MAX_RECOVERY_ATTEMPTS, PATIENT_POLICY, runStep, type StepRunner, type WorkflowContext } from "./step.ts";
import { type Suspension, suspended, within } from "./suspension.ts";
import { noteForSweep } from "./sweep.ts";
import { countAhead } from "./turns.ts";

type Cancellation = Extract<AdmissionDecision, { cancel: unknown }>["cancel"];

type Wake = Extract<AdmissionDecision, { wake: unknown }>["wake"];

/** What comes of deliveries is put into the queue, or taken out of it. */
export interface RunQueue {
  enqueue(request: RunRequest): Promise<string>;
  /** the runs of an issue or a pull request that work or wait */
  findUnfinished(repository: RepositoryId, issue: number): Promise<readonly RunRequest[]>;
  reportLater(request: RunRequest, end: UnreportedEnd): Promise<void>;
}

/** Registers the workflow of a delivery with DBOS, before its launch: it is admitted, then a run is queued or ended. */
export function registerDeliveries(
  { database, handlers, suspension, log, onQueueChange }: WorkflowContext,
  queue: RunQueue,
): (delivery: Delivery) => Promise<string> {
  const { pool } = database;
  const cancel = async (delivery: Delivery, decided: Cancellation, runner: StepRunner): Promise<string> => {
    const { repository, issue, by, because, also = [], calledOff = [] } = decided;
    const numbers = [issue, ...also];
    const runs = await runStep(runner, "find", async () => {
      // First what may yet become a run: DBOS lets a delivery that was ended enqueue none.
      const before = await findUnadmitted(pool, delivery, numbers);
      await end(suspension, before);
      const found = (await Promise.all(numbers.map((number) => queue.findUnfinished(repository, number)))).flat();
      const ended = await findEnded(
        pool,
        calledOff.map((request) => request.delivery),
      );
      const unborn = calledOff.filter((one) => ended.includes(one.delivery) && !found.some(({ id }) => id === one.id));
      for (const request of unborn) await keepRequest(pool, log, request);
      return [...found, ...unborn];
    });
    await runStep(runner, "cancel", async () => {
      for (const request of runs) await noteForSweep(pool, request);
      await end(suspension, runs);
    });
    log.info({ runs: runs.map(({ id }) => id), by }, "runs cancelled");
    // What cannot be told at once must not keep other deliveries waiting.
    const once = { ...runner, policy: { ...PATIENT_POLICY, attempts: 1 } };
    for (const request of runs) {
      await runStep(once, `tell ${request.id}`, () => handlers.cancelled(request, by, because)).catch(
        (error: unknown) => {
          log.warn({ run: request.id, error }, "the end of the cancelled run is told later");
          return queue.reportLater(request, { kind: "cancelled", by, ...(because && { because }) });
        },
      );
    }
    return `cancelled ${runs.length}`;
  };

  const wake = async ({ repository, issue }: Wake, runner: StepRunner): Promise<string> => {
    const runs = await runStep(runner, "find", () => queue.findUnfinished(repository, issue));
    await wakeRuns(runs);
    return `woke ${runs.length}`;
  };

  const carryOut = (delivery: Delivery, decision: AdmissionDecision, runner: StepRunner): Promise<string> => {
    if ("start" in decision) return startRun(decision.start, runner, queue, { database, handlers });
    return "wake" in decision ? wake(decision.wake, runner) : cancel(delivery, decision.cancel, runner);
  };

  return DBOS.registerWorkflow(
    (delivery: Delivery) =>
      suspension
        .run(delivery.id, async (run) => {
          const runner = { run, suspension, log, policy: PATIENT_POLICY };
          const decision = await runStep(runner, "admit", () => handlers.admit(delivery));
          if (decision === undefined) return "nothing to do";
          if (suspension.stopping) return suspended<string>();
          const outcome = await carryOut(delivery, decision, runner);
          log.info({ delivery: delivery.id, outcome }, "delivery admitted");
          return outcome;
        })
        .finally(onQueueChange),
    { name: WORKFLOWS.deliver, maxRecoveryAttempts: MAX_RECOVERY_ATTEMPTS },
  );
}

/**
 * Puts a run into the queue, and says behind how many it waits there. It does not begin before its delivery is dealt with
 * (`releaseNextRuns`): nobody else writes to its comment meanwhile.
 */
async function startRun(
  request: RunRequest,
  runner: StepRunner,
  queue: RunQueue,
  { database, handlers }: Pick<WorkflowContext, "database" | "handlers">,
): Promise<string> {
  const outcome = await queue.enqueue(request);
  if (outcome !== "queued") return outcome;
  const once = { ...runner, policy: { ...PATIENT_POLICY, attempts: 1 } };
  const tell = async () => {
    const ahead = await countAhead(database.pool, request.id);
    if (ahead > 0) await handlers.waits?.(request, ahead, true);
  };
  // It works all the same when nobody is told that it waits.
  await runStep(once, "turn", tell).catch((error: unknown) =>
    runner.log.warn({ run: request.id, error }, "it was not told that the run waits for its turn"),
  );
  return outcome;
}

/**
 * The deliveries that may ask for work on one of the issues or pull requests `numbers`, arrived before `delivery` and are
 * not yet dealt with; oldest first.
 */
export async function findUnadmitted(
  pool: Pool,
  delivery: Delivery,
  numbers: readonly number[],
): Promise<readonly Delivery[]> {
  const lanes = numbers.map((number) => laneOf(delivery.repository, number));
  const ids = await findBefore(pool, delivery.id, lanes);
  if (ids.length === 0) return [];
  const found = await DBOS.listWorkflows({ workflowIDs: [...ids], loadOutput: false });
  const deliveries = new Map(found.map(({ workflowID, input }) => [workflowID, input?.[0] as Delivery]));
  return ids.flatMap((id) => deliveries.get(id) ?? []).filter(asksForWork);
}

/** GitHub gives a webhook 10 s; while the database is away DBOS would wait for ever. */
const ANSWER_WITHIN_MS = 8_000;

/**
 * Makes what keeps a delivery under its GUID, so that a redelivery is known, as is a body that came under another one, at
 * the end of its lane. Returns as soon as it is in the database. Throws DATABASE_UNAVAILABLE when that takes more than
 * 8 s; the sender is then to deliver it again.
 */
export function createReceiver(
  { database, onQueueChange, lookInto }: Pick<WorkflowContext, "database" | "onQueueChange" | "lookInto">,
  deliver: (delivery: Delivery) => Promise<string>,
): (delivery: Delivery) => Promise<"recorded" | "known"> {
  const last = new Map<string, Promise<unknown>>();

  async function keep(delivery: Delivery, lane: string): Promise<"recorded" | "known"> {
    try {
      const replayed = await within(ANSWER_WITHIN_MS, isReplay(database.pool, delivery), () => {
        throw unavailable();
      });
      if (replayed) return "known";
      const priority = await nextArrival(database.pool, ANSWER_WITHIN_MS);
      const waits = { delaySeconds: UNTIL_RELEASED_SECONDS };
      await DBOS.startWorkflow(deliver, {
        workflowID: delivery.id,
        workflowIDReusePolicy: "reject",
        queueName: QUEUES.deliveries,
        enqueueOptions: { priority, queuePartitionKey: lane, ...(!endsWork(delivery) && waits) },
      })(delivery);
      if (endsWork(delivery)) lookInto(QUEUES.deliveries);
      else onQueueChange();
      return "recorded";
    } catch (error) {
      if (DbosError.isWorkflowIDInUseError(error)) return "known";
      throw unavailable(error);
    }
  }

  return (delivery) => {
    const lane = laneOfDelivery(delivery);
    const before = last.get(lane) ?? Promise.resolve();
    const kept = before.then(() => keep(delivery, lane));
    const settled = kept
      .catch(() => undefined)
      .finally(() => {
        if (last.get(lane) === settled) last.delete(lane);
      });
    last.set(lane, settled);
    return within<"recorded" | "known">(ANSWER_WITHIN_MS, kept, () => {
      throw unavailable();
    });
  };
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

/** Ends workflows, on this machine at once and on others at their next heartbeat; returns when their work here has come to rest. */
async function end(suspension: Suspension, works: readonly { readonly id: string }[]): Promise<void> {
  // All at once: the end of one lets in what waited for it.
  await DBOS.cancelWorkflows(works.map(({ id }) => id));
  for (const { id } of works) {
    suspension.active.get(id)?.lose(new MagisError("RUN_CANCELLED", "The run was cancelled."));
    await within(REST_WITHIN_MS, suspension.rest(id), () => undefined);
  }
}
