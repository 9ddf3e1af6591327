import { setTimeout as delay } from "node:timers/promises";
import { isMagisError } from "../model/magis-error.ts";

export interface RetryPolicy {
  /** how often the work is done at most */
  readonly attempts: number;
  /** milliseconds before the second attempt; doubles from there */
  readonly firstWait: number;
  /** milliseconds */
  readonly longestWait: number;
}

/**
 * Does `work` again, up to `attempts` times with growing waits, when it failed for a reason outside that may pass: a
 * host, a model or a database that did not answer. Any other error, and the last one, is thrown as it came.
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
      if (!isTransient(error) || attempt >= policy.attempts || signal.aborted) throw error;
      onRetry(error, wait);
      await delay(wait, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw error;
      wait = Math.min(wait * 2, policy.longestWait);
    }
  }
}

function isTransient(error: unknown): boolean {
  return isMagisError(
    error,
    "HOST_UNREACHABLE",
    "GIT_UNREACHABLE",
    "GIT_TIMEOUT",
    "MODEL_UNAVAILABLE",
    "DATABASE_UNAVAILABLE",
  );
}
