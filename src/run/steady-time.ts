import { randomUUID } from "node:crypto";

const PROCESS = randomUUID();

/** A moment of this process's steady clock, as plain data. It means nothing to other processes. */
export interface Moment {
  process: string;
  /** milliseconds */
  at: number;
}

export const momentNow = (): Moment => ({ process: PROCESS, at: performance.now() });

/**
 * Milliseconds since a moment; 0 for a moment of another process. The time between processes is not counted, so a run
 * waits too long rather than too short.
 */
export const msSince = ({ process, at }: Moment): number =>
  process === PROCESS ? Math.max(0, performance.now() - at) : 0;
