import { createDeveloper } from "../../agents/developer.ts";
import { createManager } from "../../agents/manager.ts";
import type { IssueSnapshot } from "../../domain/issue/issue-snapshot.ts";
import type { Candidate } from "../../domain/plan/candidate.ts";
import type { Plan, Task } from "../../domain/plan/task.ts";
import type { Repository } from "../../ports/repository.ts";
import type { PromptRunner } from "../../prompts/prompt-runner.ts";
import type { PathPolicy } from "../../settings/create-path-policy.ts";
import type { Tracker } from "../tracker.ts";
import { createPathGuard } from "./create-path-guard.ts";
import { defineTasks } from "./define-tasks.ts";
import { designTeam } from "./design-team.ts";
import { holdMeeting } from "./hold-meeting.ts";
import { orderTasks } from "./order-tasks.ts";

interface Planning {
  readonly issue: IssueSnapshot;
  readonly candidates: readonly Candidate[];
  readonly repository: Repository;
  readonly prompts: PromptRunner;
  readonly policy: PathPolicy;
  readonly tracker: Pick<Tracker, "detail" | "tasks">;
  record(part: string, value: unknown): Promise<void>;
}

/** The plan, and, when it has no task, why nothing needs to change. */
export interface MadePlan extends Plan {
  /** the meeting's summary: what the Developers agreed on; "" for a team of one */
  readonly agreed: string;
  readonly reason: string;
  /** how many files would have had to change but may not */
  readonly refused: number;
}

/**
 * Algorithm 2, making the plan: tasks (P4) and the Developers who suit them (P5), the kick-off meeting, adjusted roles
 * (P6) and the work plan (P7). A team of one has nothing to agree on and nothing to order: it holds no meeting.
 */
export async function makePlan(deps: Planning): Promise<MadePlan> {
  const { issue, repository, prompts, tracker, record } = deps;
  const manager = createManager(prompts);
  const developer = createDeveloper(prompts);

  const guard = await createPathGuard(repository, deps.policy);
  const defined = await defineTasks({ ...deps, manager, guard });
  await record("tasks", defined);
  const team = await designTeam({ issue, manager, assignments: defined.assignments });
  const met =
    team.length > 1
      ? await holdMeeting({ issue, repository, manager, developer, team, guard })
      : { tasks: team, record: [], agreed: "" };
  const order = await orderTasks({ manager, tasks: met.tasks, agreed: met.agreed });

  const plan = {
    tasks: met.tasks,
    ...order,
    meeting: met.record,
    agreed: met.agreed,
    reason: defined.reason,
    refused: defined.refused.length,
  };
  await record("plan", plan);
  await tracker.tasks(met.tasks.map(({ id, path, title }) => ({ id, path, title, status: "waiting" })));
  await tracker.detail(sentence(met.tasks));
  return plan;
}

function sentence(tasks: readonly Task[]): string {
  if (tasks.length === 0) return "no file has to change";
  return tasks.length === 1 ? "one task" : `${tasks.length} tasks, agreed on in a kick-off meeting`;
}
