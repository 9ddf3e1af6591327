import { setTimeout as delay } from "node:timers/promises";
import { DBOS, Error as DbosError } from "@dbos-inc/dbos-sdk";
import type { Log } from "../data/log.ts";
import { LONGEST_PAUSE_MS, mayBeReportedLater, outageOf } from "../data/outage.ts";
import type { StepContext } from "../run/runs.ts";
import { earlierOutcome } from "./attempts.ts";
import type { EngineContext } from "./context.ts";
import { type EarlierSteps, openOutcome, type StepOutcome, stepFailure } from "./outcome.ts";
import { type ActiveRun, dropRun, type Suspension, suspended } from "./suspension.ts";
import { freePlace } from "./work-queue.ts";

/**
 * Runs the body of a workflow as the work `id`, whose place is free afterwards, also after an error. While the process
 * stops, and when the work is no longer ours, the place stays for whoever goes on with it.
 */
export function runWork<T>(
  context: EngineContext,
  id: string,
  policy: RetryPolicy,
  body: (runner: StepRunner) => Promise<T>,
): Promise<T> {
  const { database, executor, earlier, suspension, log, onQueueChange } = context;
  const steps = earlier.get(id);
  earlier.delete(id);
  return suspension
    .run(id, async (run) => {
      try {
        return await body({ run, suspension, log, policy, earlier: steps, durations: {} });
      } finally {
        await freePlace(database.pool, executor, run, log);
      }
    })
    .finally(onQueueChange);
}

/**
 * A lost delivery goes unnoticed, so this outlasts two hours without GitHub; once it is back, people wait 30 s at
 * most.
 */
export const PATIENT_POLICY: RetryPolicy = { attempts: 292, firstWait: 1_000, longestWait: 30_000 };

/** Tries to report the end of a run for about three weeks, to a host that is away or has shut us out. */
export const REPORTING_POLICY: RetryPolicy = {
  attempts: 3_000,
  firstWait: 1_000,
  longestWait: 600_000,
  mayPass: mayBeReportedLater,
};

export interface StepRunner {
  run: ActiveRun;
  suspension: Suspension;
  policy: RetryPolicy;
  log: Log;
  /** what earlier attempts at this work recorded; those steps are not done again */
  earlier: EarlierSteps | undefined;
  /** milliseconds that the finished steps took, by name, whichever attempt did them */
  durations: Record<string, number>;
}

/**
 * Runs one checkpointed step of the current workflow. Its value or failure is recorded, and a replay gets the same. An
 * aborted step records nothing and its promise never settles, so that nothing after it mistakes the abort for an end.
 */
export async function runStep<T>(
  runner: StepRunner,
  name: string,
  body: (context: StepContext) => Promise<T>,
): Promise<T> {
  const { run, suspension } = runner;
  if (run.signal.aborted) return suspended();
  const rest = suspension.begin(run.id);
  let original: unknown;
  const from = performance.now();
  const took = () => Math.round(performance.now() - from);
  const attempt = async (): Promise<StepOutcome<T>> => {
    const known = earlierOutcome(runner.earlier, name);
    if (known !== undefined) return known as StepOutcome<T>;
    const cancelled = DBOS.stepStatus?.cancelSignal;
    const signal = cancelled === undefined ? run.signal : AbortSignal.any([run.signal, cancelled]);
    const onRetry = (error: unknown, waitMs: number) =>
      runner.log.warn({ run: run.id, step: name, error, waitMs }, "the step failed for a reason outside; trying again");
    try {
      const value = await retryTransient(() => body({ signal }), runner.policy, signal, onRetry);
      return { value, ms: took() };
    } catch (error) {
      // DBOS checks for the cancel itself when a step throws.
      if (cancelled?.aborted) throw error;
      if (signal.aborted) {
        rest();
        return suspended();
      }
      original = error;
      return { failure: stepFailure(error), ms: took() };
    }
  };
  try {
    const outcome = await DBOS.runStep(attempt, { name, retriesAllowed: false });
    runner.durations[name] = (runner.durations[name] ?? 0) + (outcome.ms ?? 0);
    if ("failure" in outcome && original !== undefined) throw original;
    return openOutcome(outcome);
  } catch (error) {
    if (isLost(error)) dropRun(run, error, runner.log);
    if (suspension.stopping || run.signal.aborted) return await suspended();
    throw error;
  } finally {
    rest();
  }
}

export interface RetryPolicy {
  /** the most times the work is done */
  attempts: number;
  /** milliseconds before the second attempt; doubles from there */
  firstWait: number;
  /** milliseconds */
  longestWait: number;
  /** which errors are tried again; outages when absent */
  mayPass?: (error: unknown) => boolean;
}

/**
 * Does `work`, up to `attempts` times with growing waits while it fails by an outage (`outageOf`), and never sooner
 * than the other side asked for. Throws any other error, and the last one, as it came; the last one at once when
 * `signal` aborts.
 */
export async function retryTransient<T>(
  work: () => Promise<T>,
  policy: RetryPolicy,
  signal: AbortSignal,
  onRetry: (error: unknown, waitMs: number) => void,
): Promise<T> {
  let wait = policy.firstWait;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const { mayPass = isOutage } = policy;
      if (!mayPass(error) || attempt >= policy.attempts || signal.aborted) throw error;
      const pause = Math.max(wait, Math.min(outageOf(error)?.retryAfterMs ?? 0, LONGEST_PAUSE_MS));
      onRetry(error, pause);
      await delay(pause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw error;
      wait = Math.min(wait * 2, policy.longestWait);
    }
  }
}

const isOutage = (error: unknown) => outageOf(error) !== undefined;

/** True for DBOS's errors about a workflow that was cancelled or taken over while it ran here. */
function isLost(error: unknown): error is Error {
  return error instanceof DbosError.DBOSWorkflowConflictError || error instanceof DbosError.DBOSWorkflowCancelledError;
}
