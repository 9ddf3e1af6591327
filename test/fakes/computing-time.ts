import { cpuUsage } from "node:process";

/**
 * The CPU time of this process so far, in milliseconds. Measure limits by it instead of a clock: on a busy machine a
 * process waits.
 */
export function computingTime(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1_000;
}
