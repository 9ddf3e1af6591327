import { isAnswerError } from "../../../model/error.ts";
import type { Task } from "../../../model/plan.ts";
import { type BudgetLimit, limitReached } from "../../../model/spend.ts";
import type { Work } from "../../../model/work.ts";
import { type FinishedTask, placeComments } from "../../change/place-comments.ts";
import { carryOut } from "../../change/work-plan.ts";
import { createWorkingCopy } from "../../change/working-copy.ts";
import type { CodeInput } from "../../run/strategy.ts";
import { createPaperDeveloper, createPaperQaEngineer } from "./agents.ts";
import { resolveTask } from "./resolve-task.ts";

/**
 * Coding (3.2.2) in the paper's form: carries out the plan, each task with a QA Engineer of its own. Tasks that the plan puts side by side run concurrently; a task sees the diffs of
 * the tasks before it in the plan, never of those beside it, so that its calls are the same when it is run again.
 * A task without a usable answer fails alone; when the budget is reached, what is finished is kept.
 */
export async function writeTaskByTask(deps: CodeInput): Promise<Work> {
  const { issue, plan, settings, tracker, prompts, log } = deps;
  const copy = createWorkingCopy(deps.repository);
  const agents = { developer: createPaperDeveloper(prompts), qaEngineer: createPaperQaEngineer(prompts) };
  let limit: BudgetLimit | undefined;

  async function runTask(id: string, before: readonly FinishedTask[]): Promise<readonly FinishedTask[]> {
    if (limit) return [];
    const task = plan.tasks.find((one) => one.id === id) as Task;
    await tracker.task(task.id, "working");
    const team = {
      tasks: plan.tasks,
      agreed: plan.agreed,
      finished: before.map(({ diff }) => diff).filter((diff) => diff !== ""),
    };
    try {
      const finished = await resolveTask({
        ...agents,
        ...deps.inherited?.get(task.id),
        issue,
        task,
        team,
        copy,
        reviews: !settings.ablate.includes("qa"),
        rounds: settings.ablate.includes("qa") ? 1 : settings.reviewRounds,
        ...{ repository: deps.repository, parser: deps.parser },
      });
      await tracker.task(task.id, finished.outcome.status);
      return [finished];
    } catch (error) {
      const reached = limitReached(error);
      if (!reached && !isAnswerError(error)) throw error;
      limit = reached ?? limit;
      if (limit) {
        await tracker.task(task.id, "waiting");
        return [];
      }
      log.warn({ error, task: task.id }, "a task failed");
      await tracker.task(task.id, "failed");
      return [failedOutcome(task, (error as Error).message)];
    }
  }

  const finished = await carryOut(plan.order, runTask);
  const outcomes = await placeComments(finished, copy);
  const done = new Set(outcomes.map(({ taskId }) => taskId));
  const unfinished = plan.tasks.filter(({ id }) => !done.has(id)).map(({ title, path }) => `${title} (\`${path}\`)`);
  return {
    outcomes,
    changes: await copy.changes(),
    patch: await copy.patch(),
    ...(limit && { stopped: { limit, unfinished } }),
  };
}

/** A task from which no usable change came out; the file stays as it was. */
function failedOutcome(task: Task, reason: string): FinishedTask {
  const outcome = {
    taskId: task.id,
    path: task.path,
    status: "failed",
    qaEngineer: { title: "", description: "" },
    attempts: [],
    comments: [],
    summary: reason,
  } as const;
  return { outcome, diff: "", reviewed: new Map() };
}
