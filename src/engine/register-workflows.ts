import { DBOS } from "@dbos-inc/dbos-sdk";
import type { AdmissionDecision } from "../model/admission-decision.ts";
import type { Delivery } from "../model/delivery.ts";
import type { RunRequest } from "../model/run-request.ts";
import type { RunResult } from "../model/run-result.ts";
import type { Log } from "../ports/log.ts";
import { cancelRuns } from "./cancel-runs.ts";
import type { Suspension } from "./create-suspension.ts";
import type { EngineHandlers } from "./engine.ts";
import type { EngineDatabase } from "./engine-database.ts";
import { enqueueRun } from "./enqueue-run.ts";
import { findUnfinished } from "./find-unfinished.ts";
import { keepRequest } from "./keep-request.ts";
import { WORKFLOWS } from "./names.ts";
import { runStep, type StepRunner } from "./run-step.ts";
import { suspended } from "./suspended.ts";

export interface WorkflowContext {
  readonly database: EngineDatabase;
  readonly handlers: EngineHandlers;
  readonly suspension: Suspension;
  readonly log: Log;
  /** something may have become free, or something new waits */
  readonly onQueueChange: () => void;
}

export interface Workflows {
  readonly deliver: (delivery: Delivery) => Promise<string>;
  readonly resolve: (request: RunRequest) => Promise<RunResult>;
  readonly abandon: (request: RunRequest, reason: string) => Promise<void>;
}

type Cancellation = Extract<AdmissionDecision, { cancel: unknown }>["cancel"];

/** Restarts that a run survives in the middle of work before it is given up. */
const MAX_RECOVERY_ATTEMPTS = 20;
/** A phase's own clients have tried several times already when it fails. */
const PHASE_POLICY = { attempts: 5, firstWait: 2_000, longestWait: 60_000 };
/** Nobody hears of a delivery that is lost, so GitHub may be away for about an hour. */
const PATIENT_POLICY = { attempts: 20, firstWait: 1_000, longestWait: 300_000 };

/** Registers the three durable workflows with DBOS, before its launch. */
export function registerWorkflows(context: WorkflowContext): Workflows {
  const { database, handlers, suspension, log, onQueueChange } = context;
  const config = (name: string) => ({ name, maxRecoveryAttempts: MAX_RECOVERY_ATTEMPTS });

  const resolve = DBOS.registerWorkflow(
    (request: RunRequest) =>
      suspension
        .run(request.id, async (run) => {
          await keepRequest(database.pool, log, request);
          const runner = { run, suspension, log, policy: PHASE_POLICY };
          return handlers.resolve(request, (name, body) => runStep(runner, name, body));
        })
        .finally(onQueueChange),
    config(WORKFLOWS.resolve),
  );

  const cancel = async ({ repository, issue, by, also = [] }: Cancellation, runner: StepRunner): Promise<string> => {
    const runs = await runStep(runner, "find", async () => {
      const found = await Promise.all([issue, ...also].map((number) => findUnfinished(repository, number)));
      return found.flat();
    });
    await runStep(runner, "cancel", () => cancelRuns(suspension, runs));
    log.info({ runs: runs.map(({ id }) => id), by }, "runs cancelled");
    for (const request of runs) await runStep(runner, `tell ${request.id}`, () => handlers.cancelled(request, by));
    return `cancelled ${runs.length}`;
  };

  const deliver = DBOS.registerWorkflow(
    (delivery: Delivery) =>
      suspension.run(delivery.id, async (run) => {
        const runner = { run, suspension, log, policy: PATIENT_POLICY };
        const decision = await runStep(runner, "admit", () => handlers.admit(delivery));
        if (decision === undefined) return "nothing to do";
        if (suspension.stopping) return suspended<string>();
        const outcome =
          "start" in decision ? await enqueueRun(resolve, decision.start) : await cancel(decision.cancel, runner);
        // A run that is ended while it waits for its turn can be found and gone on with all the same.
        if ("start" in decision && outcome === "queued") await keepRequest(database.pool, log, decision.start);
        log.info({ delivery: delivery.id, outcome }, "delivery admitted");
        onQueueChange();
        return outcome;
      }),
    config(WORKFLOWS.deliver),
  );

  const abandon = DBOS.registerWorkflow(
    (request: RunRequest, reason: string) =>
      suspension.run(`abandon:${request.id}`, async (run) => {
        const runner = { run, suspension, log, policy: PATIENT_POLICY };
        await runStep(runner, "abandoned", () => handlers.abandoned(request, reason));
      }),
    config(WORKFLOWS.abandon),
  );

  return { deliver, resolve, abandon };
}
