import { setTimeout as wait } from "node:timers/promises";
import { MagisError } from "../../domain/magis-error.ts";

/** Runs writes one after the other, none earlier than the host's limits allow. */
export type WritePacer = <T>(write: () => Promise<T>) => Promise<T>;

interface Window {
  readonly ms: number;
  readonly writes: number;
}

/** GitHub publishes 80 a minute and 500 an hour; the rest is left for people and for a restarted process. */
const PUBLISHED_LESS_A_RESERVE: readonly Window[] = [
  { ms: 60_000, writes: 70 },
  { ms: 3_600_000, writes: 450 },
];

/**
 * Counts writes in sliding windows instead of spacing them evenly: a run makes some 25 in bursts, which is far below
 * the limits, and a fixed second between any two would only delay it.
 * @param maxWaitSeconds a write that would have to wait longer throws HOST_UNREACHABLE
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api (secondary rate limits)
 */
export function createWritePacer(maxWaitSeconds: number, windows = PUBLISHED_LESS_A_RESERVE): WritePacer {
  const longest = Math.max(...windows.map((window) => window.ms));
  let starts: number[] = [];
  let last: Promise<unknown> = Promise.resolve();

  const admit = async (): Promise<void> => {
    const now = performance.now();
    starts = starts.filter((start) => start > now - longest);
    const waits = windows.map((window) => (starts.at(-window.writes) ?? Number.NEGATIVE_INFINITY) + window.ms - now);
    const delay = Math.max(0, ...waits);
    if (delay > maxWaitSeconds * 1000) {
      throw new MagisError("HOST_UNREACHABLE", "More was to be written to GitHub than it accepts in an hour.");
    }
    if (delay > 0) await wait(delay);
    starts.push(performance.now());
  };

  return (write) => {
    const turn = last.then(admit).then(write);
    last = turn.catch(() => undefined);
    return turn;
  };
}
