import { DBOS } from "@dbos-inc/dbos-sdk";
import { MagisError } from "../data/error.ts";
import type { AdmissionDecision, Delivery, InstallationScope, Receipt, RunRequest } from "../data/run-request.ts";
import { attemptsOf } from "./attempts.ts";
import type { EngineContext } from "./context.ts";
import { notePullEnd } from "./ledger.ts";
import { followName, presentName } from "./repository-names.ts";
import { enqueueRun, keepRequest, reportLater } from "./runs.ts";
import { PATIENT_POLICY, runStep, runWork, type StepRunner } from "./step.ts";
import { suspended, within } from "./suspension.ts";
import { noteForSweep } from "./sweep.ts";
import { awaitReports } from "./turns.ts";
import {
  addDelivery,
  cancelRows,
  findCalledOff,
  findUnadmitted,
  findUnfinished,
  findUnfinishedOf,
  issueQueueOf,
  wakeRuns,
} from "./work-queue.ts";

type CancelDecision = Extract<AdmissionDecision, { cancel: unknown }>;

type Cancellation = CancelDecision["cancel"];

type Wake = Extract<AdmissionDecision, { wake: unknown }>["wake"];

/** Registers the workflow of a delivery with DBOS, before its launch: admits it, then queues, wakes or cancels runs. */
export function registerDeliveries(context: EngineContext): (delivery: Delivery) => Promise<string> {
  const { handlers, suspension, log } = context;
  const deliver = (delivery: Delivery) =>
    runWork(context, delivery.id, PATIENT_POLICY, async (runner) => {
      await notePull(context, delivery);
      const decision = await runStep(runner, "admit", () => handlers.admit(delivery));
      if (decision === undefined) return "nothing to do";
      if (suspension.stopping) return suspended<string>();
      const outcome = await carryOut(context, delivery, decision, runner);
      log.info({ delivery: delivery.id, outcome }, "delivery admitted");
      return outcome;
    });
  return DBOS.registerWorkflow(deliver, { name: "deliver" });
}

async function notePull({ database, handlers, log }: EngineContext, delivery: Delivery): Promise<void> {
  try {
    for (const state of await notePullEnd(database.pool, delivery)) handlers.accounts.pullEnded(state);
  } catch (error) {
    log.warn({ delivery: delivery.id, error }, "the end of a pull request could not be entered in the ledger");
  }
}

function carryOut(
  context: EngineContext,
  delivery: Delivery,
  decision: AdmissionDecision,
  runner: StepRunner,
): Promise<string> {
  const { database, log } = context;
  if ("start" in decision) return runStep(runner, "enqueue", () => enqueueRun(database.pool, log, decision.start));
  if ("deliver" in decision) return deliverEach(context, decision.deliver, runner);
  return "wake" in decision ? wake(context, decision.wake, runner) : cancel(context, delivery, decision, runner);
}

/** Each in the queue of its own pull request. Doing it again changes nothing. */
async function deliverEach(
  { database, onQueueChange }: EngineContext,
  deliveries: readonly Delivery[],
  runner: StepRunner,
): Promise<string> {
  await runStep(runner, "deliver", async () => {
    for (const delivery of deliveries) await addDelivery(database.pool, delivery, ANSWER_WITHIN_MS);
  });
  onQueueChange();
  return `passed on to ${deliveries.length}`;
}

async function wake({ database }: EngineContext, { repository, issue }: Wake, runner: StepRunner): Promise<string> {
  const runs = await runStep(runner, "find", () => findUnfinished(database.pool, repository, issue));
  await wakeRuns(database.pool, runs);
  return `woke ${runs.length}`;
}

async function cancel(
  context: EngineContext,
  delivery: Delivery,
  { cancel: decided }: CancelDecision,
  runner: StepRunner,
): Promise<string> {
  const { database, handlers, log } = context;
  const { by, because } = decided;
  const runs = await runStep(runner, "find", () => findToCancel(context, delivery, decided));
  await runStep(runner, "cancel", async () => {
    for (const request of runs) await noteForSweep(database.pool, request);
    await endAll(context, runs);
  });
  log.info({ runs: runs.map(({ id }) => id), by }, "runs cancelled");
  // One try: other deliveries must not wait for it.
  const once = { ...runner, policy: { ...PATIENT_POLICY, attempts: 1 } };
  for (const request of runs) {
    await runStep(once, `tell ${request.id}`, () => handlers.cancelled(request, by, because)).catch(
      (error: unknown) => {
        log.warn({ run: request.id, error }, "the end of the cancelled run is reported later");
        return reportLater(context, { request, end: { kind: "cancelled", by, because } });
      },
    );
  }
  return `cancelled ${runs.length}`;
}

/**
 * Ends all work on what the app can no longer see: nothing more is paid for it. Deliveries first, since an ended one
 * queues no run.
 */
export async function withdraw(context: EngineContext, given: InstallationScope): Promise<void> {
  const { database, log } = context;
  const scope = await presentName(database.pool, given);
  const { deliveries } = await findUnfinishedOf(database.pool, scope);
  await endAll(context, deliveries);
  const { runs } = await findUnfinishedOf(database.pool, scope);
  for (const request of runs) await noteForSweep(database.pool, request);
  await endAll(context, runs);
  for (const request of runs)
    await reportLater(context, { request, end: { kind: "cancelled", by: "", because: "shut-out" } });
  if (runs.length > 0) log.info({ runs: runs.map(({ id }) => id) }, "runs ended: the app was removed or suspended");
}

/** The runs that a cancel ends: unfinished ones, and those whose delivery was cancelled before it queued them. */
async function findToCancel(
  context: EngineContext,
  delivery: Delivery,
  { repository, issue, also = [], calledOff = [] }: Cancellation,
): Promise<readonly RunRequest[]> {
  const { database, log } = context;
  const { pool } = database;
  const numbers = [issue, ...also];
  // Deliveries first: a cancelled one queues no run.
  await endAll(context, await findUnadmitted(pool, delivery, numbers));
  const unfinished = await Promise.all(numbers.map((number) => findUnfinished(pool, repository, number)));
  const found = unfinished.flat();
  const ended = await findCalledOff(
    pool,
    calledOff.map((request) => request.delivery),
  );
  const unborn = calledOff.filter((one) => ended.includes(one.delivery) && !found.some(({ id }) => id === one.id));
  for (const request of unborn) await keepRequest(pool, log, request);
  return [...found, ...unborn];
}

/** GitHub waits 10 s for the answer to a webhook. */
const ANSWER_WITHIN_MS = 8_000;

/**
 * Stores a delivery at the end of its issue queue, by its GUID, if it concerns the bot. A redelivery is known, and so is
 * a body that came under another GUID (`addDelivery`). Returns once the database has the delivery. Throws
 * DATABASE_UNAVAILABLE after 8 s; the sender should then deliver it again.
 */
export async function receive(context: EngineContext, delivery: Delivery): Promise<Receipt> {
  const { receiving, onQueueChange } = context;
  const queue = issueQueueOf(delivery);
  const added = (receiving.get(queue) ?? Promise.resolve()).then(() => keepDelivery(context, delivery));
  const settled = added
    .catch(() => undefined)
    .finally(() => {
      if (receiving.get(queue) === settled) receiving.delete(queue);
    });
  receiving.set(queue, settled);
  const answer = added.catch((error: unknown) => {
    throw unavailable(error);
  });
  const receipt = await within(ANSWER_WITHIN_MS, answer, () => {
    throw unavailable();
  });
  if (receipt === "recorded") onQueueChange();
  return receipt;
}

async function keepDelivery(context: EngineContext, given: Delivery): Promise<Receipt> {
  const { database, handlers } = context;
  const { repository, displaced } = await followName(database.pool, given.repository, given.at, ANSWER_WITHIN_MS);
  if (displaced) await withdraw(context, displaced);
  const delivery = { ...given, repository };
  if (!(await handlers.concerns(delivery))) return "ignored";
  return (await addDelivery(database.pool, delivery, ANSWER_WITHIN_MS)) ? "recorded" : "known";
}

function unavailable(cause?: unknown): MagisError {
  return new MagisError(
    "DATABASE_UNAVAILABLE",
    "The delivery could not be recorded; please deliver it again.",
    {},
    cause,
  );
}

/** How long to wait for a cancelled run to come to rest before its end is reported. */
const REST_WITHIN_MS = 2_000;

/**
 * Cancels work, here at once and on other machines by their next heartbeat; returns when it has come to rest here, and
 * nobody writes that a run waits.
 */
async function endAll({ database, suspension }: EngineContext, works: readonly { id: string }[]): Promise<void> {
  const ids = works.map(({ id }) => id);
  const cancelled = await cancelRows(database.pool, ids);
  await DBOS.cancelWorkflows(cancelled.flatMap(attemptsOf));
  for (const id of ids) {
    suspension.active.get(id)?.lose(new MagisError("RUN_CANCELLED", "The run was cancelled."));
    await within(REST_WITHIN_MS, suspension.rest(id), () => undefined);
  }
  await awaitReports(database.pool, ids, REST_WITHIN_MS);
}
