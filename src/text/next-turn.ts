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
