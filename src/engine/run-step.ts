import { DBOS } from "@dbos-inc/dbos-sdk";
import type { Log } from "../ports/log.ts";
import type { StepContext } from "../ports/step.ts";
import type { ActiveRun, Suspension } from "./create-suspension.ts";
import { isLost } from "./is-lost.ts";
import { openOutcome } from "./open-outcome.ts";
import { type RetryPolicy, retryTransient } from "./retry-transient.ts";
import { stepFailure } from "./step-failure.ts";
import type { StepOutcome } from "./step-outcome.ts";
import { suspended } from "./suspended.ts";

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
