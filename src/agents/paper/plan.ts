import pMap from "p-map";
import type { PathGuard } from "../../change/path-guard.ts";
import { parsePlan, sequencePlan } from "../../change/work-plan.ts";
import { type ShownFile, showFile } from "../../code/edits/numbered.ts";
import { isAnswerError } from "../../data/error.ts";
import type { Candidate, MadePlan, Speech, Task } from "../../data/plan.ts";
import type { Repository } from "../../git/repository.ts";
import type { Assignment } from "../../models/agents.ts";
import type { PlanInput } from "../../run/strategy.ts";
import {
  createPaperDeveloper,
  createPaperManager,
  type MeetingSummary,
  type PaperDeveloper,
  type PaperManager,
  type TaskDefinition,
} from "./agents.ts";

/**
 * Tasks (P4) and the Developers who suit them (P5), the kick-off meeting, adjusted roles (P6) and the work plan (P7).
 */
export async function planInTurns(deps: PlanInput, guard: PathGuard): Promise<MadePlan> {
  const [manager, developer] = [createPaperManager(deps.prompts), createPaperDeveloper(deps.prompts)];
  const planning = { ...deps, guard, manager, developer };
  const defined = await defineTasks(planning);
  await deps.record("tasks", defined);
  const team = await designTeam(defined.assignments, planning);
  const meets = team.length > 1 && !deps.settings.ablate.includes("meeting");
  const met = meets ? await holdMeeting(team, planning) : { tasks: team, record: [], agreed: "" };
  const order = await orderTasks(met.tasks, met.record, manager);
  return {
    tasks: met.tasks,
    ...order,
    meeting: met.record,
    agreed: met.agreed,
    reason: defined.reason,
    refused: defined.refused.length,
  };
}

interface Planning extends PlanInput {
  guard: PathGuard;
  manager: PaperManager;
  developer: PaperDeveloper;
}

/** The most concurrent calls: P4, P5 or P6. */
const AT_ONCE = 4;

export interface DefinedTasks {
  assignments: readonly Assignment[];
  /** proposals that could not become tasks, and why */
  refused: readonly { path: string; reason: string }[];
  /** why the other files need no task */
  reason: string;
}

/** Algorithm 2, line 2: the file-level task of each candidate (P4) and of new files that the issue needs. */
async function defineTasks({ issue, candidates, repository, manager, guard }: Planning): Promise<DefinedTasks> {
  const definitions = await pMap(
    candidates,
    async (candidate) => {
      const file = showFile(candidate.path, await repository.readBlob(candidate.blob));
      const others = candidates.filter((other) => other !== candidate);
      return manager.defineTask(issue, file, others);
    },
    { concurrency: AT_ONCE },
  );
  const proposals = [...existing(candidates, definitions), ...created(definitions)];
  const refused = proposals.flatMap((proposal) => guard(proposal, proposals) ?? []);
  const tasks = proposals.filter(({ path }) => !refused.some((one) => one.path === path));
  return {
    assignments: tasks.map((task, index) => ({ ...task, id: `t${index + 1}` })),
    refused,
    reason: reasonOf(candidates, definitions, refused),
  };
}

function reasonOf(
  candidates: readonly Candidate[],
  definitions: readonly TaskDefinition[],
  refused: DefinedTasks["refused"],
): string {
  if (candidates.length === 0) return "No file of the repository has anything in common with the issue.";
  return [
    ...definitions.map(({ reason }, index) => `\`${candidates[index]?.path}\`: ${reason}`),
    ...refused.map(({ path, reason }) => `\`${path}\`: left alone, ${reason}`),
  ].join("\n");
}

function existing(candidates: readonly Candidate[], definitions: readonly TaskDefinition[]) {
  return definitions.flatMap(({ needed, action, title, description }, index) =>
    needed ? [{ path: candidates[index]?.path as string, action, title, description }] : [],
  );
}

/** Several candidates may ask for the same new file: it becomes one task with all their words. */
function created(definitions: readonly TaskDefinition[]) {
  const files = new Map<string, { path: string; action: "create"; title: string; description: string }>();
  for (const { path, title, description } of definitions.flatMap(({ newFiles }) => newFiles)) {
    const known = files.get(path);
    const text = known && known.description !== description ? `${known.description}\n\n${description}` : description;
    files.set(path, { path, action: "create", title: known?.title ?? title, description: text });
  }
  return [...files.values()];
}

/**
 * P7: the main work plan as code, parsed and never evaluated. A wrong plan goes back once with the reason. If that
 * fails, or the model declines, the tasks run one after the other, and the plan says why. A single task needs no plan.
 */
async function orderTasks(
  tasks: readonly Task[],
  record: readonly Speech[],
  manager: PaperManager,
): Promise<Pick<MadePlan, "order" | "source" | "fallback">> {
  const inSequence = { order: sequencePlan(tasks), source: tasks.map(({ id }) => `run("${id}");`).join("\n") };
  if (tasks.length < 2) return inSequence;
  const fault = (source: string) => {
    const parsed = parsePlan(source, tasks);
    return "reason" in parsed ? parsed.reason : undefined;
  };
  try {
    const source = await manager.writePlan(tasks, record, fault);
    const parsed = parsePlan(source, tasks);
    return "order" in parsed ? { order: parsed.order, source: source.trim() } : inSequence;
  } catch (error) {
    if (!isAnswerError(error)) throw error;
    return { ...inSequence, fallback: error.message.split("\n")[0] ?? "" };
  }
}

/**
 * The kick-off meeting (3.2.1), a circular speech: the Manager opens, each Developer speaks after hearing the others
 * before it, the Manager sums up. The agreement may change the tasks; then each Developer adjusts its role (P6).
 */
async function holdMeeting(team: readonly Task[], planning: Planning) {
  const { issue, repository, manager, developer } = planning;
  const view = { tasks: team, agreed: "", finished: [] };
  const record: Speech[] = [{ speaker: "Manager", text: await manager.openMeeting(issue, view) }];
  for (const task of team) {
    const text = await developer.speak(issue, task, await shown(task, repository), view, record);
    record.push({ speaker: `${task.developer.title} (${task.id})`, text });
  }
  const closing = await manager.closeMeeting(issue, view, record);
  record.push({ speaker: "Manager", text: closing.summary });

  const kept = await agreedTasks(team, closing, planning);
  const tasks = await pMap(
    kept,
    async (task) => ({ ...task, developer: await developer.adjustRole(issue, task, record) }),
    { concurrency: AT_ONCE },
  );
  return { tasks, record, agreed: closing.summary };
}

async function agreedTasks(
  team: readonly Task[],
  closing: MeetingSummary,
  planning: Planning,
): Promise<readonly Task[]> {
  const remaining = team
    .filter(({ id }) => !closing.dropped.includes(id))
    .map((task) => ({
      ...task,
      description: closing.revised.find(({ id }) => id === task.id)?.description ?? task.description,
    }));
  const added = closing.added
    .filter((file, at, all) => all.findIndex(({ path }) => path === file.path) === at)
    .filter(({ path }) => !remaining.some((task) => task.path === path))
    .filter((file, _, all) => planning.guard(file, [...remaining, ...all]) === undefined)
    .map((file, index) => ({ ...file, id: `t${team.length + index + 1}` }));
  // A meeting that drops every task has settled nothing: keep the tasks.
  if (remaining.length + added.length === 0) return team;
  return [...remaining, ...(await designTeam(added, planning))];
}

async function shown({ path }: Task, repository: Repository): Promise<ShownFile> {
  const entry = repository.entries.get(path);
  return showFile(path, entry && (await repository.readBlob(entry.blob)));
}

/** Algorithm 2, line 3: one Developer for each task; the team is made for the issue. */
function designTeam(assignments: readonly Assignment[], { issue, manager }: Planning): Promise<readonly Task[]> {
  return pMap(assignments, async (task) => ({ ...task, developer: await manager.describeDeveloper(issue, task) }), {
    concurrency: AT_ONCE,
  });
}
