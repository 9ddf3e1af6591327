import type { TaskOutcome } from "../../src/data/work.ts";

export function sampleOutcome(changes: Partial<TaskOutcome> = {}): TaskOutcome {
  return {
    taskId: "t1",
    path: "src/money.js",
    status: "approved",
    qaEngineer: { title: "Rounding QA Engineer", description: "Checks halves and signs." },
    attempts: [{ round: 1, diff: "", approved: true, verdict: "Does what the task asks." }],
    comments: [],
    summary: "`roundCents` rounds to whole cents.",
    ...changes,
  };
}
