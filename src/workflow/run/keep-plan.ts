import pMap from "p-map";
import type { Assignment, Manager } from "../../llm/agents.ts";
import type { IssueSnapshot } from "../../model/discussion.ts";
import type { MadePlan } from "../../model/plan.ts";
import { sequencePlan } from "../change/work-plan.ts";
import type { Origin } from "./record.ts";
import type { RunTools } from "./run-tools.ts";

/** Keeps the plan that a run goes by, and its tasks in the run's state. */
export async function keepPlan(
  plan: MadePlan,
  { record, tracker }: Pick<RunTools, "record"> & { readonly tracker: Pick<RunTools["tracker"], "tasks"> },
): Promise<void> {
  await record("plan", plan);
  await tracker.tasks(plan.tasks.map(({ id, path, title }) => ({ id, path, title, status: "waiting" })));
}

/** P5 calls that may be under way together. */
const AT_ONCE = 4;

/**
 * The plan of a run that follows up on a pull request: each task is for the Developer who wrote its file, where that is
 * known, else for one whom the Manager describes; in sequence, without a meeting.
 */
export async function staffPlan(
  assignments: readonly Assignment[],
  deps: {
    readonly manager: Pick<Manager, "describeDeveloper">;
    readonly issue: IssueSnapshot;
    readonly roles: Origin["roles"];
    readonly reason?: string;
  },
): Promise<MadePlan> {
  const { manager, issue, roles, reason = "" } = deps;
  const tasks = await pMap(
    assignments,
    async (task) => {
      const known = roles.findLast(({ path }) => path === task.path)?.developer;
      return { ...task, developer: known ?? (await manager.describeDeveloper(issue, task)) };
    },
    { concurrency: AT_ONCE },
  );
  return { tasks, order: sequencePlan(tasks), source: "", meeting: [], agreed: "", reason, refused: 0 };
}
