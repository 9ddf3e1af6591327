import type { TaskOutcome } from "../../model/task-outcome.ts";
import type { CodeInput, Work } from "../run/coding.ts";
import { writeTogether } from "./lean/write-together.ts";
import { writeTaskByTask } from "./paper/write-task-by-task.ts";

/**
 * Coding (3.2.2): carries out the plan, in the paper's form each task with a review of its own, else the Developers'
 * work together under one review. A task without a usable answer fails alone; when the budget is reached, what is
 * finished is kept.
 */
export async function writeCode(deps: CodeInput): Promise<Work> {
  const work = deps.settings.profile === "paper" ? await writeTaskByTask(deps) : await writeTogether(deps);
  await deps.record("work", work);
  await deps.tracker.detail(sentence(work.outcomes));
  return work;
}

function sentence(outcomes: readonly TaskOutcome[]): string {
  const count = (status: TaskOutcome["status"]) => outcomes.filter((outcome) => outcome.status === status).length;
  const parts = [
    [count("approved"), "approved by QA"],
    [count("open"), "with open QA comments"],
    [count("unchanged"), "without a change"],
    [count("failed"), "failed"],
  ] as const;
  return parts.flatMap(([number, words]) => (number > 0 ? [`${number} ${words}`] : [])).join(", ");
}
