import type { BudgetLimit } from "../../../model/budget.ts";
import { isMagisError } from "../../../model/magis-error.ts";
import type { PlanNode, Task } from "../../../model/task.ts";
import { carryOut } from "../../change/carry-out.ts";
import type { WorkingCopy } from "../../change/working-copy.ts";
import type { CodeInput, Inheritance } from "../../run/coding.ts";
import type { Developer } from "../paper/developer.ts";
import { developTask } from "./develop-task.ts";
import type { Overlay, RepositoryView } from "./repository-view.ts";
import { isPending, type TaskProgress } from "./task-progress.ts";

interface TeamInput extends CodeInput {
  readonly developer: Developer;
  readonly repositoryView: RepositoryView;
  readonly copy: WorkingCopy;
}

/** The team at work: where each task stands, in the order of the tasks. */
export interface Team {
  all(): readonly TaskProgress[];
  set(progress: TaskProgress): void;
  /** all changes as they stand */
  overlay(): Overlay;
  /**
   * Has the pending tasks done, in the order of the plan, those side by side concurrently. In the first round a task sees
   * the changes of the tasks before it in the plan, never of those beside it, later those of the last round: so that its
   * calls are the same when it is run again. Gives the budget's limit when it was reached.
   */
  develop(order: PlanNode, round: number): Promise<BudgetLimit | undefined>;
  add(tasks: readonly Task[]): Promise<void>;
}

export function openTeam(deps: TeamInput): Team {
  const { plan, tracker, inherited } = deps;
  const team = new Map<string, TaskProgress>();
  for (const task of plan.tasks) team.set(task.id, begun(task, inherited?.get(task.id)));
  const all = () => [...team.values()];
  const of = (id: string) => team.get(id) as TaskProgress;

  return {
    ...{ all, overlay: () => overlayOf(all()) },
    set: (progress) => void team.set(progress.task.id, progress),
    async develop(order, round) {
      const last = all();
      let limit: BudgetLimit | undefined;
      await carryOut<string>(order, async (id, before) => {
        if (limit || !isPending(of(id))) return [id];
        await tracker.task(id, "working");
        const seen = (round === 1 ? before.map(of) : last).filter(({ task }) => task.id !== id);
        const tasks = all().map(({ task }) => task);
        const done = await attempt(deps, of(id), { round, seen, tasks });
        if ("limit" in done) limit = done.limit;
        else team.set(id, done);
        return [id];
      });
      return limit;
    },
    async add(more) {
      for (const task of more) team.set(task.id, begun(task, undefined));
      const waiting = more.map(({ id, path, title }) => ({ id, path, title, status: "waiting" as const }));
      await tracker.addTasks(waiting);
    },
  };
}

function begun(task: Task, { qaRole = { title: "", description: "" }, earlier = [] }: Inheritance = {}): TaskProgress {
  const none = { attempts: [], replies: {}, reviewed: new Map<number, Uint8Array | undefined>() };
  return { task, before: undefined, qaEngineer: qaRole, comments: earlier, ...none };
}

async function attempt(
  deps: TeamInput,
  known: TaskProgress,
  { round, seen, tasks }: { round: number; seen: readonly TaskProgress[]; tasks: readonly Task[] },
): Promise<TaskProgress | { readonly limit: BudgetLimit }> {
  const { plan, copy, log } = deps;
  const progress = known.attempts.length === 0 ? { ...known, before: await copy.read(known.task.path) } : known;
  const finished = seen.flatMap(({ change }) => (change && change.diff !== "" ? [change.diff] : []));
  const team = { tasks, agreed: plan.agreed, finished };
  try {
    const done = await developTask({ ...deps, progress, team, overlay: overlayOf([...seen, progress]) });
    if (done.change) copy.write(done.task.path, done.change.content);
    return done;
  } catch (error) {
    if (isMagisError(error, "BUDGET_REACHED")) return { limit: error.data.limit as BudgetLimit };
    if (!isMagisError(error, "ANSWER_INVALID", "MODEL_REFUSED", "MODEL_CUT_OFF")) throw error;
    log.warn({ error, task: known.task.id }, "an attempt failed");
    const failed = { round, diff: "", approved: false, verdict: "", rejected: error.message };
    return { ...progress, rejected: error.message, attempts: [...progress.attempts, failed] };
  }
}

function overlayOf(team: readonly TaskProgress[]): Overlay {
  return new Map(team.flatMap(({ task, change }) => (change ? [[task.path, change.content]] : [])));
}
