import type { BudgetLimit } from "../../../model/budget.ts";
import { isMagisError } from "../../../model/magis-error.ts";
import type { PlanNode, Task } from "../../../model/task.ts";
import { createPathGuard } from "../../change/create-path-guard.ts";
import { placeComments } from "../../change/place-comments.ts";
import { createWorkingCopy } from "../../change/working-copy.ts";
import type { CodeInput, Work } from "../../run/coding.ts";
import { createDeveloper } from "../paper/developer.ts";
import { createQaEngineer, type WorkReview } from "../paper/qa-engineer.ts";
import { leaveComment } from "./leave-comment.ts";
import { openTeam } from "./open-team.ts";
import { openRepositoryView } from "./repository-view.ts";
import { type ReviewOfWork, reviewTogether } from "./review-together.ts";
import { finishedTask, isPending, type TaskProgress } from "./task-progress.ts";

/**
 * Coding (3.2.2), asked together: in each round the Developers of the tasks that are open make their changes in the
 * plan's order, one call each, and the QA Engineers review the repository-level change in one. What they find to be
 * missing from the plan becomes tasks, once; what is open after the last round stays for the maintainer.
 */
export async function writeTogether(deps: CodeInput): Promise<Work> {
  const { plan, settings, tracker, log } = deps;
  const agents = { developer: createDeveloper(deps.prompts), qaEngineer: createQaEngineer(deps.prompts) };
  const repositoryView = await openRepositoryView(deps);
  const copy = createWorkingCopy(deps.repository);
  const team = openTeam({ ...deps, ...agents, repositoryView, copy });
  const reviews = !settings.ablate.includes("qa");
  const lastRound = reviews ? settings.reviewRounds : 1;
  let order: PlanNode = plan.order;
  let added: readonly Task[] = [];
  let left = { round: 1, words: "" };
  let limit: BudgetLimit | undefined;

  for (let round = 1; round <= lastRound; round++) {
    const before = team.all();
    limit = await team.develop(order, round);
    if (limit || !team.all().some(({ change }) => change !== undefined)) break;
    if (!reviews || (round > 1 && !isNews(before, team.all()))) break;
    const review = await reviewed(round);
    if (!review) break;
    for (const progress of review.team) team.set(progress);
    await tell();
    const more = added.length === 0 && round < lastRound ? await missingTasks(review.missing, deps) : [];
    if (more.length > 0) {
      added = more;
      await team.add(added);
      order = { sequence: [plan.order, ...added.map(({ id }) => ({ run: id }))] };
    }
    left = { round, words: leftOut(review.missing, more) };
    if (!team.all().some(isPending)) break;
  }
  // Only now: a comment that stands on a file sends it to its Developer, who cannot do anything about it.
  if (left.words !== "")
    leaveComment(team, left.round, `Not part of this change, and perhaps missing:\n\n${left.words}`);
  await tell();
  const begun = team.all().filter(({ change, unchanged, rejected }) => change || unchanged || rejected);
  const unfinished = team.all().filter((progress) => !begun.includes(progress));
  return {
    outcomes: await placeComments(begun.map(finishedTask), copy),
    changes: await copy.changes(),
    patch: await copy.patch(),
    ...(added.length > 0 && { added }),
    ...(limit && {
      stopped: { limit, unfinished: unfinished.map(({ task }) => `${task.title} (\`${task.path}\`)`) },
    }),
  };

  /** Nothing when there can be no review: then the change stands with a word on it, for a person to look at. */
  async function reviewed(round: number): Promise<ReviewOfWork | undefined> {
    const shown = { ...deps, ...agents, repositoryView, team: team.all(), overlay: team.overlay(), round, lastRound };
    try {
      return await reviewTogether(shown);
    } catch (error) {
      if (isMagisError(error, "BUDGET_REACHED")) limit = error.data.limit as BudgetLimit;
      else if (!isMagisError(error, "ANSWER_INVALID", "MODEL_REFUSED", "MODEL_CUT_OFF")) throw error;
      log.warn({ error }, "the change could not be reviewed");
      const why = error.message.split("\n")[0] ?? "";
      if (!limit) leaveComment(team, round, `This change was not reviewed; please look at it closely. ${why}`);
      return undefined;
    }
  }

  async function tell(): Promise<void> {
    for (const progress of team.all()) await tracker.task(progress.task.id, statusOf(progress));
  }
}

/** What the review misses and no further task is made for, in words. */
function leftOut(missing: WorkReview["missing"], more: readonly Task[]): string {
  return missing
    .filter(({ path }) => !more.some((task) => task.path === path))
    .map(({ path, title, description }) => `\`${path}\`: ${title}. ${description}`)
    .join("\n\n");
}

/** Whether a round came to anything for QA to look at: an answer of some Developer that could be used. */
function isNews(before: readonly TaskProgress[], now: readonly TaskProgress[]): boolean {
  return now.some((progress) => !before.includes(progress) && progress.rejected === undefined);
}

function statusOf(progress: TaskProgress) {
  const { change, unchanged, rejected } = progress;
  return change || unchanged || rejected ? finishedTask(progress).outcome.status : "waiting";
}

/** Tasks for files that no task covers; those that may not be changed are left out. */
async function missingTasks(missing: WorkReview["missing"], { repository, policy, plan }: CodeInput): Promise<Task[]> {
  const guard = await createPathGuard(repository, policy);
  const taken = new Set(plan.tasks.map(({ path }) => path));
  const ids = plan.tasks.map(({ id }) => Number(id.slice(1))).filter(Number.isFinite);
  const first = Math.max(0, ...ids) + 1;
  return missing
    .filter(({ path }, at) => !taken.has(path) && missing.findIndex((one) => one.path === path) === at)
    .filter((task) => guard(task) === undefined)
    .map((task, index) => ({
      ...{ ...task, id: `t${first + index}` },
      developer: { title: "developer who completes the change", description: "" },
    }));
}
