import type { RanStep } from "../../model/test-results.ts";
import { readTestLog } from "./read-test-log.ts";

/**
 * A step of a job, or a command, by what it printed. Names the tests that ran only where that agrees with how the step
 * ended: if a step passed and its output sums up failures, those are not its runner's.
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
