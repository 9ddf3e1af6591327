import type { RanStep } from "../../model/test-results.ts";
import { readTestLog } from "./read-test-log.ts";

/**
 * A step of a job, or a command, by what it printed. Which tests ran is told only where that agrees with how the step
 * ended: one that passed and sums up failures has printed what is not its runner's.
 */
export function readStep(name: string, state: RanStep["state"], log: string): RanStep {
  const { failures, counted, broken, lines } = readTestLog(log);
  const agrees = counted !== undefined && (state === "failed" || counted.counts.failed === 0);
  return {
    name,
    state,
    failures,
    lines,
    tests: agrees ? { ...counted, from: "log", failures } : undefined,
    broken,
  };
}
