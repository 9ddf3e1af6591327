import { cpuUsage } from "node:process";

/**
 * Milliseconds that this process has computed so far. What must not take long is held by these and not by a clock:
 * a busy machine lets a process wait.
 */
export function computingTime(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1_000;
}
