import { randomUUID } from "node:crypto";

const PROCESS = randomUUID();

/** A moment of this process's steady clock, as plain data: nobody sets that clock, and no other process knows it. */
export interface Moment {
  readonly process: string;
  /** milliseconds */
  readonly at: number;
}

export const momentNow = (): Moment => ({ process: PROCESS, at: performance.now() });

/**
 * The milliseconds since a moment. None have passed since one of another process: what lies between two processes is not
 * counted, so that a run waits too long rather than too short.
 */
export const msSince = ({ process, at }: Moment): number =>
  process === PROCESS ? Math.max(0, performance.now() - at) : 0;
