import { setTimeout as wait } from "node:timers/promises";
import pLimit from "p-limit";
import { MagisError } from "../data/error.ts";
import { abandonable, stopIfAborted } from "./abortable.ts";

/** How a client reads the time and lets it pass. */
export interface Clock {
  /** milliseconds, of a clock that nobody sets */
  now(): number;
  wait(ms: number): Promise<unknown>;
}

export const CLOCK: Clock = { now: () => performance.now(), wait };

/** The pace of one installation's requests in this process, whichever run they are for. */
export interface Pace {
  /**
   * Makes a request in its turn: a few reads at a time, and writes one after another, each with its repeats. Creations
   * begin 900 ms apart. Throws HOST_UNREACHABLE where GitHub wants none for longer than the pace waits, and
   * RUN_CANCELLED for a read, and for a write that still waits, when its run has ended (`abortable`).
   */
  inTurn<T>(request: { isRead: boolean; creates: boolean }, send: () => Promise<T>): Promise<T>;
  /** The last creation is made again in `ms`, or GitHub wants none before. */
  putOff(ms: number): void;
}

/** A little less often than the 80 creations a minute that GitHub publishes: people write there, too. */
const BETWEEN_CREATIONS_MS = 900;

/** GitHub allows a hundred simultaneous requests. */
const SIMULTANEOUS_READS = 10;

/**
 * @param maxWaitMs the longest wait for GitHub to take creations again
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api (secondary rate limits)
 */
export function createPace(maxWaitMs: number, { now, wait }: Clock): Pace {
  const reads = pLimit(SIMULTANEOUS_READS);
  const writes = pLimit(1);
  let next = 0;
  const untilNext = () => next - now();

  const begin = async (creates: boolean): Promise<void> => {
    if (creates) {
      if (untilNext() > maxWaitMs + BETWEEN_CREATIONS_MS) throw refusal(untilNext());
      // A timer may fire a little early.
      while (untilNext() > 0) await wait(Math.ceil(untilNext()));
      next = now() + BETWEEN_CREATIONS_MS;
    }
    stopIfAborted();
  };

  return {
    inTurn({ isRead, creates }, send) {
      if (isRead) return abandonable(reads(send));
      return writes(async () => {
        await begin(creates);
        return send();
      });
    },
    putOff(ms) {
      next = Math.max(next, now() + ms + BETWEEN_CREATIONS_MS);
    },
  };
}

function refusal(pause: number): MagisError {
  const message = "GitHub's rate limit takes no more comments and the like from this app for now.";
  return new MagisError("HOST_UNREACHABLE", message, { limited: true, retryAfterMs: Math.ceil(pause) });
}
