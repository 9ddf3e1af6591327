import { paper } from "../../src/agents/paper/paper.ts";
import type { ProposedPlan } from "../../src/data/plan.ts";
import { estimateCost } from "../../src/data/spend.ts";
import { sampleTask } from "./sample-task.ts";

/** A plan of three tasks that waits for approval. */
export function samplePlan(changes: Partial<ProposedPlan> = {}): ProposedPlan {
  return {
    tasks: [
      sampleTask(),
      sampleTask({ id: "t2", path: "src/invoice.js", title: "Round discounts | taxes" }),
      sampleTask({ id: "t3", path: "test/money.js", action: "create", title: "Test it" }),
    ],
    order: { sequence: [{ run: "t1" }, { concurrently: [{ run: "t2" }, { run: "t3" }] }] },
    meeting: [
      { speaker: "Manager", text: "Who waits for whom?" },
      { speaker: "Money developer t1 (t1)", text: "I export it, @ben uses it." },
    ],
    estimate: estimateCost({ calls: 20, money: 0.4 }, { tasks: 3, rounds: 3, form: paper.form }),
    base: { branch: "main", commit: "1234567890".repeat(4) },
    ...changes,
  };
}
