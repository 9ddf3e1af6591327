import { setTimeout as delay } from "node:timers/promises";
import { DBOS, Error as DbosError } from "@dbos-inc/dbos-sdk";
import { isMagisError, MagisError, type MagisErrorCode } from "../model/error.ts";
import { mayBeReportedLater, outageOf } from "../model/outage.ts";
import type { Log } from "../ports/log.ts";
import type { StepContext } from "../ports/runs.ts";
import type { EngineDatabase, EngineHandlers } from "./engine.ts";
import { type ActiveRun, type Suspension, suspended } from "./suspension.ts";

/** What the engine's workflows work with. */
export interface WorkflowContext {
  readonly database: EngineDatabase;
  readonly handlers: EngineHandlers;
  readonly suspension: Suspension;
  readonly log: Log;
  /** something may have become free, or something new waits */
  readonly onQueueChange: () => void;
  /** has a queue looked into at once: something in it may begin */
  readonly lookInto: (queue: string) => void;
}

/** Restarts that a workflow survives in the middle of work before it is given up. */
export const MAX_RECOVERY_ATTEMPTS = 20;

/**
 * Nobody hears of a delivery that is lost, so GitHub may be away for more than two hours; once it is back, people wait for
 * half a minute at most.
 */
export const PATIENT_POLICY: RetryPolicy = { attempts: 292, firstWait: 1_000, longestWait: 30_000 };

/** The end of a run is owed for about three weeks: to a host that is away, and to one that has shut us out. */
export const TELLING_POLICY: RetryPolicy = {
  attempts: 3_000,
  firstWait: 1_000,
  longestWait: 600_000,
  mayPass: mayBeReportedLater,
};

export interface StepRunner {
  readonly run: ActiveRun;
  readonly suspension: Suspension;
  readonly policy: RetryPolicy;
  readonly log: Log;
}

/**
 * Runs one checkpointed step of the current workflow. Its value or its failure is recorded, and comes back the same on
 * a replay. Work that ends by being aborted leaves no record: the promise then never settles, so that nothing after it
 * takes the abort for an end of the run.
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
  const attempt = async (): Promise<StepOutcome<T>> => {
    const cancelled = DBOS.stepStatus?.cancelSignal;
    const signal = cancelled === undefined ? run.signal : AbortSignal.any([run.signal, cancelled]);
    const onRetry = (error: unknown, waitMs: number) =>
      runner.log.warn({ run: run.id, step: name, error, waitMs }, "the step failed for a reason outside; trying again");
    try {
      return { value: await retryTransient(() => body({ signal }), runner.policy, signal, onRetry) };
    } catch (error) {
      // DBOS looks for the cancel itself when a step throws.
      if (cancelled?.aborted) throw error;
      if (signal.aborted) {
        rest();
        return suspended();
      }
      original = error;
      return { failure: stepFailure(error) };
    }
  };
  try {
    const outcome = await DBOS.runStep(attempt, { name, retriesAllowed: false });
    if ("failure" in outcome && original !== undefined) throw original;
    return openOutcome(outcome);
  } catch (error) {
    if (isLost(error)) run.lose(error);
    if (suspension.stopping || run.signal.aborted) return await suspended();
    throw error;
  } finally {
    rest();
  }
}

export interface RetryPolicy {
  /** how often the work is done at most */
  readonly attempts: number;
  /** milliseconds before the second attempt; doubles from there */
  readonly firstWait: number;
  /** milliseconds */
  readonly longestWait: number;
  /** what is tried again; outages when absent */
  readonly mayPass?: (error: unknown) => boolean;
}

/**
 * Does `work` again, up to `attempts` times with growing waits, when it failed for a reason outside that may pass
 * (`outageOf`), no sooner than whoever refused has asked for. Any other error, and the last one, is thrown as it came.
 * Ends at once, with the error of the last attempt, when `signal` aborts.
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
      const pause = Math.max(wait, Math.min(outageOf(error)?.retryAfterMs ?? 0, MAX_PAUSE_MS));
      onRetry(error, pause);
      await delay(pause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw error;
      wait = Math.min(wait * 2, policy.longestWait);
    }
  }
}

/** However long somebody asks to be left alone, it is looked again within the hour. */
const MAX_PAUSE_MS = 3_600_000;

const isOutage = (error: unknown) => outageOf(error) !== undefined;

/**
 * What a step leaves in the database: its value, or why it failed, as plain data. DBOS's own record of an error loses
 * its class, and a replayed run would then decide otherwise than the first one did.
 */
export type StepOutcome<T> = { readonly value: T } | { readonly failure: StepFailure };

export interface StepFailure {
  /** absent for an error that is none of ours */
  readonly code?: MagisErrorCode;
  readonly message: string;
  readonly data: Record<string, unknown>;
}

/** An error as plain data; of `data` what JSON can hold. */
function stepFailure(error: unknown): StepFailure {
  if (!isMagisError(error)) return { message: error instanceof Error ? error.message : String(error), data: {} };
  return { code: error.code, message: error.message, data: plain(error.data) };
}

function plain(data: Record<string, unknown>): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** The value of a step, or its failure thrown again: a MagisError with its code and data, or a plain Error. */
function openOutcome<T>(outcome: StepOutcome<T>): T {
  if ("value" in outcome) return outcome.value;
  const { code, message, data } = outcome.failure;
  throw code === undefined ? new Error(message) : new MagisError(code, message, data);
}

/** True for DBOS's ways to say that a workflow was cancelled or taken over while it was running here. */
function isLost(error: unknown): error is Error {
  return error instanceof DbosError.DBOSWorkflowConflictError || error instanceof DbosError.DBOSWorkflowCancelledError;
}
