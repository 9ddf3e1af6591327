import pMap from "p-map";
import type { Assignment, Manager } from "../../../llm/manager.ts";
import type { IssueSnapshot } from "../../../model/issue-snapshot.ts";
import type { Task } from "../../../model/task.ts";

/** P5 calls that may be under way together. */
const AT_ONCE = 4;

/** Algorithm 2, line 3: one Developer for each task; the team is made for the issue. */
export function designTeam(deps: {
  readonly issue: IssueSnapshot;
  readonly manager: Manager;
  readonly assignments: readonly Assignment[];
}): Promise<readonly Task[]> {
  const { issue, manager, assignments } = deps;
  return pMap(assignments, async (task) => ({ ...task, developer: await manager.describeDeveloper(issue, task) }), {
    concurrency: AT_ONCE,
  });
}
