import { cpus } from "node:os";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";

/** How long the event loop and the machine are watched to see whether there is time for one more run. */
const SAMPLE_MS = 100;

/** When one of them is busy for more than this share of that time, there is none. */
const BUSY = 0.8;

/** After this long a run no longer counts: a large repository must not hold up the others. */
const LONGEST_MS = 5_000;

/** One run's turn at beginning its work: reading the issue, opening the repository, and all until the first model call. */
export interface OpeningTurn {
  /** Waits for the turn. Resolves at once for a run that has it, and for one that ends meanwhile. */
  begin(): Promise<void>;
  /** Lets the next run begin: the repository is open, or no longer wanted. */
  end(): void;
}

/**
 * Makes the turns of one process. Runs get theirs in the order in which they ask. One run may begin at any time; while
 * others are at it, the next one begins only when neither the process nor its machine is busy. Most of what a run
 * computes, it computes before it asks the model. When many begin at once, the first ones can ask the model while the
 * rest still wait; if all computed side by side, none would get that far until nearly all had. Where the network takes
 * most of the time, nothing is busy, and they do go side by side.
 */
export function createOpeningTurns(isBusy: () => Promise<boolean>): () => OpeningTurn {
  const waiting = new Map<object, () => void>();
  const begun = new Map<object, NodeJS.Timeout>();
  let letting = false;

  async function letIn(): Promise<void> {
    if (letting) return;
    letting = true;
    for (let next = first(); next; next = first()) {
      if (begun.size > 0 && (await isBusy()) && begun.size > 0) continue;
      const [turn, begin] = next;
      // It may have ended while the process was watched.
      if (!waiting.delete(turn)) continue;
      begun.set(turn, setTimeout(() => begun.delete(turn), LONGEST_MS).unref());
      begin();
    }
    letting = false;
  }

  function first() {
    const [next] = waiting;
    return next;
  }

  return () => {
    const turn = {};
    let beginning: Promise<void> | undefined;
    return {
      begin() {
        beginning ??= new Promise<void>((resolve) => {
          waiting.set(turn, resolve);
          void letIn();
        });
        return beginning;
      },
      end() {
        const letThrough = waiting.get(turn);
        waiting.delete(turn);
        clearTimeout(begun.get(turn));
        begun.delete(turn);
        beginning = undefined;
        letThrough?.();
      },
    };
  };
}

/** The machine may be busy with what this process waits for: the database, other processes of the bot. */
async function isBusy(): Promise<boolean> {
  const [loop, machine] = [performance.eventLoopUtilization(), machineTimes()];
  await delay(SAMPLE_MS);
  if (performance.eventLoopUtilization(loop).utilization > BUSY) return true;
  const now = machineTimes();
  return now.busy - machine.busy > BUSY * (now.all - machine.all);
}

/** Milliseconds of all processors since the machine's start. */
function machineTimes(): { readonly busy: number; readonly all: number } {
  const times = cpus().map((processor) => processor.times);
  const all = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  return { all, busy: all - times.reduce((sum, { idle }) => sum + idle, 0) };
}

/** The turns of all runs of this process. */
export const createOpeningTurn = createOpeningTurns(isBusy);
