import { setTimeout as wait } from "node:timers/promises";
import { MagisError } from "../../model/error.ts";

/** Runs writes one after the other, none earlier than the host's limits allow. */
/** `creates`: it makes something that people are told of, which GitHub limits more strictly than changes to what is there. */
export type WritePacer = <T>(write: () => Promise<T>, creates: boolean) => Promise<T>;

interface Window {
  readonly of: "creations" | "writes";
  readonly ms: number;
  readonly writes: number;
}

/**
 * GitHub publishes 80 creations a minute and 500 an hour, and 900 points a minute, five for a write; the rest is left for
 * reads, for people and for a restarted process.
 */
const PUBLISHED_LESS_A_RESERVE: readonly Window[] = [
  { of: "creations", ms: 60_000, writes: 70 },
  { of: "creations", ms: 3_600_000, writes: 450 },
  { of: "writes", ms: 60_000, writes: 140 },
];

/**
 * Counts writes in sliding windows instead of spacing them evenly: a run makes some 25 in bursts, which is far below
 * the limits, and a fixed second between any two would only delay it.
 * @param maxWaitSeconds a write that would have to wait longer throws HOST_UNREACHABLE
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api (secondary rate limits)
 */
export function createWritePacer(maxWaitSeconds: number, windows = PUBLISHED_LESS_A_RESERVE): WritePacer {
  const longest = Math.max(...windows.map((window) => window.ms));
  let starts: { readonly at: number; readonly creates: boolean }[] = [];
  let last: Promise<unknown> = Promise.resolve();

  const admit = async (creates: boolean): Promise<void> => {
    const now = performance.now();
    starts = starts.filter(({ at }) => at > now - longest);
    const waits = windows
      .filter(({ of }) => of === "writes" || creates)
      .map(({ of, ms, writes }) => {
        const counted = starts.filter((start) => of === "writes" || start.creates);
        return (counted.at(-writes)?.at ?? Number.NEGATIVE_INFINITY) + ms - now;
      });
    const delay = Math.max(0, ...waits);
    if (delay > maxWaitSeconds * 1000) {
      throw new MagisError("HOST_UNREACHABLE", "More was to be written to GitHub than it accepts in an hour.");
    }
    if (delay > 0) await wait(delay);
    starts.push({ at: performance.now(), creates });
  };

  return (write, creates) => {
    const turn = last.then(() => admit(creates)).then(write);
    last = turn.catch(() => undefined);
    return turn;
  };
}
