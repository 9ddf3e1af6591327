import { createDeveloper } from "../../agents/developer.ts";
import { createQaEngineer } from "../../agents/qa-engineer.ts";
import type { FileChange } from "../../domain/edit/file-change.ts";
import type { IssueSnapshot } from "../../domain/issue/issue-snapshot.ts";
import { isMagisError } from "../../domain/magis-error.ts";
import type { PlanNode, RoleDescription, Task } from "../../domain/plan/task.ts";
import type { QaComment } from "../../domain/review/qa-comment.ts";
import type { TaskOutcome } from "../../domain/review/task-outcome.ts";
import type { BudgetLimit } from "../../domain/spend/budget.ts";
import type { Log } from "../../ports/log.ts";
import type { Repository } from "../../ports/repository.ts";
import type { PromptRunner } from "../../prompts/prompt-runner.ts";
import type { MadePlan } from "../plan/make-plan.ts";
import type { RunSettings } from "../run-tools.ts";
import type { Tracker } from "../tracker.ts";
import { failedOutcome } from "./failed-outcome.ts";
import { placeComments } from "./place-comments.ts";
import { type FinishedTask, resolveTask } from "./resolve-task.ts";
import { createWorkingCopy } from "./working-copy.ts";

/** What the Developers and QA Engineers made of the plan. */
export interface Work {
  readonly outcomes: readonly TaskOutcome[];
  /** the repository-level change against the base commit */
  readonly changes: readonly FileChange[];
  /** the same as a patch for `git apply` */
  readonly patch: string;
  /** the limit that ended the work early, and the tasks it left undone */
  readonly stopped?: { readonly limit: BudgetLimit; readonly unfinished: readonly string[] };
}

/** What a task takes over from an earlier run: its QA Engineer, and comments that its change is to settle. */
export interface Inheritance {
  readonly qaRole?: RoleDescription | undefined;
  readonly earlier?: readonly QaComment[] | undefined;
}

interface Coding {
  readonly issue: IssueSnapshot;
  readonly plan: MadePlan;
  readonly repository: Repository;
  readonly prompts: PromptRunner;
  readonly settings: Pick<RunSettings, "reviewRounds">;
  readonly tracker: Pick<Tracker, "task" | "detail">;
  readonly log: Log;
  /** what an earlier run left for tasks, by their ids */
  readonly inherited?: ReadonlyMap<string, Inheritance>;
  record(part: string, value: unknown): Promise<void>;
}

/**
 * Coding (3.2.2): carries out the plan. Tasks that the plan puts side by side run concurrently; a task sees the diffs of
 * the tasks before it in the plan, never of those beside it, so that its calls are the same when it is run again.
 * A task without a usable answer fails alone; when the budget is reached, what is finished is kept.
 */
export async function writeCode(deps: Coding): Promise<Work> {
  const { issue, plan, settings, tracker, prompts, log, record } = deps;
  const copy = createWorkingCopy(deps.repository);
  const agents = { developer: createDeveloper(prompts), qaEngineer: createQaEngineer(prompts) };
  let limit: BudgetLimit | undefined;

  async function carryOut(node: PlanNode, before: readonly FinishedTask[]): Promise<readonly FinishedTask[]> {
    if ("run" in node) return runTask(plan.tasks.find(({ id }) => id === node.run) as Task, before);
    if ("sequence" in node) {
      let done: readonly FinishedTask[] = [];
      for (const step of node.sequence) done = [...done, ...(await carryOut(step, [...before, ...done]))];
      return done;
    }
    const branches = await Promise.allSettled(node.concurrently.map((branch) => carryOut(branch, before)));
    return branches.flatMap((branch) => {
      if (branch.status === "rejected") throw branch.reason;
      return branch.value;
    });
  }

  async function runTask(task: Task, before: readonly FinishedTask[]): Promise<readonly FinishedTask[]> {
    if (limit) return [];
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
        rounds: settings.reviewRounds,
        repository: deps.repository,
      });
      await tracker.task(task.id, finished.outcome.status);
      return [finished];
    } catch (error) {
      if (isMagisError(error, "BUDGET_REACHED")) limit = error.data.limit as BudgetLimit;
      else if (!isMagisError(error, "ANSWER_INVALID", "MODEL_REFUSED", "MODEL_CUT_OFF")) throw error;
      if (limit) {
        await tracker.task(task.id, "waiting");
        return [];
      }
      log.warn({ error, task: task.id }, "a task failed");
      await tracker.task(task.id, "failed");
      return [failedOutcome(task, (error as Error).message)];
    }
  }

  const finished = await carryOut(plan.order, []);
  const outcomes = await placeComments(finished, copy);
  const done = new Set(outcomes.map(({ taskId }) => taskId));
  const unfinished = plan.tasks.filter(({ id }) => !done.has(id)).map(({ title, path }) => `${title} (\`${path}\`)`);
  const work = {
    outcomes,
    changes: await copy.changes(),
    patch: await copy.patch(),
    ...(limit && { stopped: { limit, unfinished } }),
  };
  await record("work", work);
  await tracker.detail(sentence(outcomes));
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
