import pMap from "p-map";
import { type ShownFile, showFile } from "../../../edits/numbered.ts";
import type { Assignment } from "../../../llm/agents.ts";
import type { IssueSnapshot } from "../../../model/discussion.ts";
import type { Speech, Task } from "../../../model/plan.ts";
import type { Repository } from "../../../ports/repository.ts";
import type { PathGuard } from "../../change/path-guard.ts";
import type { MeetingSummary, PaperDeveloper, PaperManager } from "./agents.ts";

/** P5 or P6 calls that may be under way together. */
const AT_ONCE = 4;

interface MeetingInput {
  readonly issue: IssueSnapshot;
  readonly repository: Repository;
  readonly manager: PaperManager;
  readonly developer: PaperDeveloper;
  readonly team: readonly Task[];
  readonly guard: PathGuard;
}

/**
 * The kick-off meeting (3.2.1), a circular speech: the Manager opens, each Developer speaks having heard all that was
 * said before, the Manager sums up. What was agreed changes the tasks; then each Developer adjusts its role (P6).
 */
export async function holdMeeting({ issue, repository, manager, developer, team, guard }: MeetingInput): Promise<{
  readonly tasks: readonly Task[];
  readonly record: readonly Speech[];
  readonly agreed: string;
}> {
  const view = { tasks: team, agreed: "", finished: [] };
  const record: Speech[] = [{ speaker: "Manager", text: await manager.openMeeting(issue, view) }];
  for (const task of team) {
    const text = await developer.speak(issue, task, await shown(task, repository), view, record);
    record.push({ speaker: `${task.developer.title} (${task.id})`, text });
  }
  const closing = await manager.closeMeeting(issue, view, record);
  record.push({ speaker: "Manager", text: closing.summary });

  const kept = await agreedTasks({ issue, manager, team, guard, closing });
  const tasks = await pMap(
    kept,
    async (task) => ({ ...task, developer: await developer.adjustRole(issue, task, closing.summary) }),
    { concurrency: AT_ONCE },
  );
  return { tasks, record, agreed: closing.summary };
}

async function agreedTasks(
  deps: Omit<MeetingInput, "developer" | "repository"> & { readonly closing: MeetingSummary },
): Promise<readonly Task[]> {
  const { issue, manager, team, guard, closing } = deps;
  const remaining = team
    .filter(({ id }) => !closing.dropped.includes(id))
    .map((task) => ({
      ...task,
      description: closing.revised.find(({ id }) => id === task.id)?.description ?? task.description,
    }));
  const added = closing.added
    .filter((file, at, all) => all.findIndex(({ path }) => path === file.path) === at)
    .filter(({ path }) => !remaining.some((task) => task.path === path))
    .filter((file) => guard(file) === undefined)
    .map((file, index) => ({ ...file, id: `t${team.length + index + 1}` }));
  // A meeting that drops every task has settled nothing; the tasks stand as they were.
  if (remaining.length + added.length === 0) return team;
  return [...remaining, ...(await designTeam({ issue, manager, assignments: added }))];
}

async function shown({ path }: Task, repository: Repository): Promise<ShownFile> {
  const entry = repository.entries.get(path);
  return showFile(path, entry && (await repository.readBlob(entry.blob)));
}

/** Algorithm 2, line 3: one Developer for each task; the team is made for the issue. */
export function designTeam(deps: {
  readonly issue: IssueSnapshot;
  readonly manager: PaperManager;
  readonly assignments: readonly Assignment[];
}): Promise<readonly Task[]> {
  const { issue, manager, assignments } = deps;
  return pMap(assignments, async (task) => ({ ...task, developer: await manager.describeDeveloper(issue, task) }), {
    concurrency: AT_ONCE,
  });
}
