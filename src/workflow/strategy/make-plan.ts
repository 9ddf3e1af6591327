import { createManager, type Manager } from "../../llm/manager.ts";
import type { PromptRunner } from "../../llm/prompt-runner.ts";
import type { Candidate } from "../../model/candidate.ts";
import type { IssueSnapshot } from "../../model/issue-snapshot.ts";
import type { PlanWords } from "../../model/plan-words.ts";
import type { Plan } from "../../model/task.ts";
import type { Repository } from "../../ports/repository.ts";
import type { SourceParser } from "../../ports/source-parser.ts";
import { createPathGuard, type PathGuard } from "../change/create-path-guard.ts";
import type { PathPolicy } from "../change/create-path-policy.ts";
import type { RunSettings } from "../run/run-tools.ts";
import type { Tracker } from "../run/tracker.ts";
import { planTogether } from "./lean/plan-together.ts";
import { openRepositoryView } from "./lean/repository-view.ts";
import { defineTasks } from "./paper/define-tasks.ts";
import { designTeam } from "./paper/design-team.ts";
import { createDeveloper } from "./paper/developer.ts";
import { holdMeeting } from "./paper/hold-meeting.ts";
import { orderTasks } from "./paper/order-tasks.ts";

interface PlanInput {
  readonly issue: IssueSnapshot;
  readonly candidates: readonly Candidate[];
  readonly repository: Repository;
  readonly prompts: PromptRunner;
  readonly policy: PathPolicy;
  readonly parser: SourceParser;
  readonly settings: Pick<RunSettings, "profile" | "ablate">;
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
  readonly words?: PlanWords;
}

/**
 * Algorithm 2, making the plan: in the paper's form call by call, else in one call that sees everything. A team of one
 * has nothing to agree on and nothing to order: it holds no meeting.
 */
export async function makePlan(deps: PlanInput): Promise<MadePlan> {
  const { repository, policy, settings, tracker, record } = deps;
  const manager = createManager(deps.prompts);
  const guard = await createPathGuard(repository, policy);
  const plan =
    settings.profile === "paper"
      ? await planInTurns(deps, manager, guard)
      : await planTogether({ ...deps, manager, guard, repositoryView: await openRepositoryView(deps) });
  await record("plan", plan);
  await tracker.tasks(plan.tasks.map(({ id, path, title }) => ({ id, path, title, status: "waiting" })));
  await tracker.detail(sentence(plan));
  return plan;
}

/** Tasks (P4) and the Developers who suit them (P5), the kick-off meeting, adjusted roles (P6) and the work plan (P7). */
async function planInTurns(deps: PlanInput, manager: Manager, guard: PathGuard): Promise<MadePlan> {
  const { issue, repository, settings } = deps;
  const developer = createDeveloper(deps.prompts);
  const defined = await defineTasks({ ...deps, manager, guard });
  await deps.record("tasks", defined);
  const team = await designTeam({ issue, manager, assignments: defined.assignments });
  const meets = team.length > 1 && !settings.ablate.includes("meeting");
  const met = meets
    ? await holdMeeting({ issue, repository, manager, developer, team, guard })
    : { tasks: team, record: [], agreed: "" };
  const order = await orderTasks({ manager, tasks: met.tasks, agreed: met.agreed });
  return {
    ...{ tasks: met.tasks, ...order, meeting: met.record, agreed: met.agreed },
    ...{ reason: defined.reason, refused: defined.refused.length },
  };
}

function sentence({ tasks, meeting }: MadePlan): string {
  if (tasks.length === 0) return "no file has to change";
  if (tasks.length === 1) return "one task";
  return meeting.length > 0 ? `${tasks.length} tasks, agreed on in a kick-off meeting` : `${tasks.length} tasks`;
}
