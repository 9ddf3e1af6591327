import { setImmediate as turnOfLoop } from "node:timers/promises";

let last: Promise<void> = Promise.resolve();

/**
 * Yields to timers and sockets in the middle of a long computation. However many computations yield, one goes on in each
 * turn of the event loop, the one that has waited longest first: with `setImmediate` alone, all of fifty runs would go
 * on before the next look at the sockets.
 */
export function nextTurn(): Promise<void> {
  last = last.then(() => turnOfLoop());
  return last;
}

const WORK_A_TURN = 2_000_000;

/** Gives `pause(work)`, work in bytes: lets others run now and then, so that a long search does not hold them up. */
export function createPacer(): (work: number) => Promise<void> {
  let done = 0;
  return async (work) => {
    done += work;
    if (done < WORK_A_TURN) return;
    done = 0;
    await nextTurn();
  };
}
