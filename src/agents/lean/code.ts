import { createPathGuard } from "../../change/path-guard.ts";
import { carryOut } from "../../change/work-plan.ts";
import { createWorkingCopy, placeComments } from "../../change/working-copy.ts";
import { isAnswerError } from "../../data/error.ts";
import type { PlanNode, Task } from "../../data/plan.ts";
import { type BudgetLimit, limitReached } from "../../data/spend.ts";
import type { Inheritance, Work } from "../../data/work.ts";
import { titleOf } from "../../models/agents.ts";
import { type CodeInput, REVIEW_ROUNDS } from "../../run/strategy.ts";
import { listed } from "../../text/patterns.ts";
import { createLeanDeveloper, createLeanQaEngineer, type WorkReview } from "./agents.ts";
import { developTask, finishedTask, isPending, type TaskProgress, type TeamInput } from "./develop-task.ts";
import { type ReviewOfWork, reviewTogether } from "./review.ts";
import { type Overlay, openRepositoryView } from "./view/view.ts";

/**
 * Coding (3.2.2) in few calls: in each round the Developers of open tasks make their changes in the plan's order, one
 * call each, and the QA Engineers review the whole change in one. What they find missing from the plan becomes tasks,
 * once. What is open after the last round is left to the maintainer.
 */
export async function writeTogether(deps: CodeInput): Promise<Work> {
  const agents = { developer: createLeanDeveloper(deps.prompts), qaEngineer: createLeanQaEngineer(deps.prompts) };
  const copy = createWorkingCopy(deps.repository);
  const input = { ...deps, ...agents, copy, repositoryView: await openRepositoryView(deps) };
  const team = openTeam(input);
  const { round, added, unfollowed, uncovered, limit } = await workInRounds(team, input);
  // Not before the last round: an open comment would send the file to its Developer, who can do nothing about it.
  if (uncovered !== "") leaveComment(team, round, `Not part of this change, and perhaps missing:\n\n${uncovered}`);
  await showProgress(team, input);
  const tried = team.all().filter(wasTried);
  const untried = team.all().filter((progress) => !wasTried(progress));
  return {
    outcomes: await placeComments(tried.map(finishedTask), copy),
    changes: await copy.changes(),
    patch: await copy.patch(),
    added: added.length > 0 ? added : undefined,
    unfollowed: unfollowed.length > 0 ? unfollowed : undefined,
    stopped: limit && { limit, unfinished: untried.map(({ task }) => `${task.title} (\`${task.path}\`)`) },
  };
}

/** What the reviews left, and the budget's limit if it ended the rounds. */
interface Reviewed extends Pick<ReviewOfWork, "unfollowed"> {
  /** the last one with a review */
  round: number;
  added: readonly Task[];
  /** what the last review found missing and no task covers */
  uncovered: string;
  limit?: BudgetLimit | undefined;
}

async function workInRounds(team: Team, input: TeamInput): Promise<Reviewed> {
  const { plan, settings } = input;
  const reviews = !settings.ablate.includes("qa");
  const lastRound = reviews ? REVIEW_ROUNDS : 1;
  let reviewed: Reviewed = { round: 1, added: [], unfollowed: [], uncovered: "" };
  for (let round = 1; round <= lastRound; round++) {
    const before = team.all();
    const order = { sequence: [plan.order, ...reviewed.added.map(({ id }) => ({ run: id }))] };
    const limit = await team.develop(order, round);
    if (limit) return { ...reviewed, limit };
    const isChanged = team.all().some(({ change }) => change !== undefined);
    if (!reviews || !isChanged || (round > 1 && !isNews(before, team.all()))) break;
    const review = await reviewOrComment(team, { ...input, round, lastRound });
    if ("limit" in review) return { ...reviewed, limit: review.limit };
    takeReview(team, review, input);
    await showProgress(team, input);
    const mayAdd = reviewed.added.length === 0 && round < lastRound;
    const more = mayAdd ? await missingTasks(review.missing, input) : [];
    if (more.length > 0) await team.add(more);
    const { unfollowed, missing } = review;
    reviewed = { round, added: [...reviewed.added, ...more], unfollowed, uncovered: uncoveredBy(more, missing) };
    if (!team.all().some(isPending)) break;
  }
  return reviewed;
}

/** Takes over the comments of the QA Engineers, and what they mended themselves. */
function takeReview(team: Team, review: ReviewOfWork, { copy }: TeamInput): void {
  for (const progress of review.team) {
    team.set(progress);
    if (progress.change) copy.write(progress.task.path, progress.change.content);
  }
}

/** Gives the review, or the limit that ended it. One that failed leaves a comment that asks a person to look. */
async function reviewOrComment(
  team: Team,
  input: TeamInput & { round: number; lastRound: number },
): Promise<ReviewOfWork | { limit: BudgetLimit | undefined }> {
  try {
    return await reviewTogether({ ...input, team: team.all(), overlay: team.overlay() });
  } catch (error) {
    const limit = limitReached(error);
    if (!limit && !isAnswerError(error)) throw error;
    input.log.warn({ error }, "could not review the change; leaving that to the maintainer");
    const why = (error as Error).message.split("\n")[0] ?? "";
    if (!limit) leaveComment(team, input.round, `This change was not reviewed; please look at it closely. ${why}`);
    return { limit };
  }
}

async function showProgress(team: Team, { tracker }: TeamInput): Promise<void> {
  const statusOf = (one: TaskProgress) => (wasTried(one) ? finishedTask(one).outcome.status : "waiting");
  await Promise.all(team.all().map((progress) => tracker.task(progress.task.id, statusOf(progress))));
}

/** Whether a Developer, or a plain rule in its place, has answered. */
const wasTried = ({ change, unchanged, rejected }: TaskProgress) => Boolean(change || unchanged || rejected);

/** What the review found missing and no task covers. */
function uncoveredBy(more: readonly Task[], missing: WorkReview["missing"]): string {
  return missing
    .filter(({ path }) => !more.some((task) => task.path === path))
    .map(({ path, words }) => `\`${path}\`: ${words}`)
    .join("\n\n");
}

/** Whether a round gave QA anything new, that is a usable answer from a Developer. */
function isNews(before: readonly TaskProgress[], now: readonly TaskProgress[]): boolean {
  return now.some((progress) => !before.includes(progress) && progress.rejected === undefined);
}

/** All that a review says of a file that should go. */
const DELETION = /^delete(?: (?:it|(?:the|this) (?:whole )?file))?\.?$/i;

/** Tasks for missing files, except protected ones and those that a task covers, here or in another commit. */
async function missingTasks(
  missing: WorkReview["missing"],
  { repository, policy, plan, apart = [] }: CodeInput,
): Promise<Task[]> {
  const guard = await createPathGuard(repository, policy);
  const planned = [...plan.tasks, ...apart];
  const taken = new Set(planned.map(({ path }) => path));
  const ids = planned.map(({ id }) => Number(id.slice(1))).filter(Number.isFinite);
  const first = Math.max(0, ...ids) + 1;
  return missing
    .map(({ path, words }): Pick<Task, "path" | "action" | "title" | "description"> => {
      const written = repository.entries.has(path) ? "modify" : "create";
      return {
        path,
        action: DELETION.test(words) ? "delete" : written,
        title: titleOf(words),
        description: words,
      };
    })
    .filter(({ path }, at, all) => !taken.has(path) && all.findIndex((one) => one.path === path) === at)
    .filter((task, _, all) => guard(task, [...plan.tasks, ...all]) === undefined)
    .map((task, index) => ({
      ...task,
      id: `t${first + index}`,
      developer: { title: "developer who completes the change", description: "" },
    }));
}

/** Leaves the maintainer a comment on the first changed file, about what the team could not do. */
function leaveComment(team: Team, round: number, body: string): void {
  const home = team.all().find(({ change }) => change !== undefined);
  if (!home) return;
  const { id, path } = home.task;
  const comment = { id: `${id}-r${round}-0`, taskId: id, round, path, body, status: "open" as const };
  team.set({ ...home, comments: [...home.comments, comment] });
}

/** The progress of all tasks, in order. */
interface Team {
  all(): readonly TaskProgress[];
  set(progress: TaskProgress): void;
  /** all changes so far */
  overlay(): Overlay;
  /**
   * Develops the pending tasks in the plan's order, parallel ones concurrently. In the first round a task sees the
   * changes of the tasks before it in the plan, never of parallel ones; later it sees those of the round before. So
   * running it again makes the same calls. Gives the budget's limit if it was reached.
   */
  develop(order: PlanNode, round: number): Promise<BudgetLimit | undefined>;
  add(tasks: readonly Task[]): Promise<void>;
}

function openTeam(deps: TeamInput): Team {
  const { plan, tracker, inherited } = deps;
  const team = new Map<string, TaskProgress>();
  for (const task of plan.tasks) team.set(task.id, newProgress(task, inherited?.get(task.id)));
  const all = () => [...team.values()];
  const of = (id: string) => team.get(id) as TaskProgress;

  return {
    all,
    overlay: () => overlayOf(all()),
    set: (progress) => void team.set(progress.task.id, progress),
    async develop(order, round) {
      const last = all();
      let limit: BudgetLimit | undefined;
      await carryOut<string>(order, async (id, before) => {
        if (limit || !isPending(of(id))) return [id];
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
      for (const task of more) team.set(task.id, newProgress(task));
      const waiting = more.map(({ id, path, title }) => ({ id, path, title, status: "waiting" as const }));
      await tracker.addTasks(waiting);
    },
  };
}

function newProgress(task: Task, inherited: Inheritance = {}): TaskProgress {
  const { qaRole = { title: "", description: "" }, earlier = [] } = inherited;
  return {
    task,
    before: undefined,
    qaEngineer: qaRole,
    comments: earlier,
    attempts: [],
    writers: [],
    replies: {},
    reviewed: new Map(),
  };
}

/** One attempt at a task. An answer that cannot be used is kept with its reason, for the next round. */
async function attempt(
  deps: TeamInput,
  known: TaskProgress,
  { round, seen, tasks }: { round: number; seen: readonly TaskProgress[]; tasks: readonly Task[] },
): Promise<TaskProgress | { limit: BudgetLimit }> {
  const { plan, copy, log } = deps;
  const progress = known.attempts.length === 0 ? { ...known, before: await copy.read(known.task.path) } : known;
  const team = { tasks, agreed: plan.agreed, finished: diffsThatMatter(progress, seen) };
  try {
    const done = await developTask({ ...deps, progress, team, overlay: overlayOf([...seen, progress]) });
    if (done.change) copy.write(done.task.path, done.change.content);
    return done;
  } catch (error) {
    const limit = limitReached(error);
    if (limit) return { limit };
    if (!isAnswerError(error)) throw error;
    log.warn({ error, task: known.task.id }, "an attempt failed");
    const failed = { round, diff: "", approved: false, verdict: "", rejected: error.message };
    const { reason = error.message } = error.data as { reason?: string };
    return { ...progress, rejected: reason, attempts: [...progress.attempts, failed] };
  }
}

/**
 * The colleagues' changes that matter to a task: its text or file mentions the changed file, or a name declared in the
 * changed lines.
 */
function diffsThatMatter({ task, change, before }: TaskProgress, seen: readonly TaskProgress[]): readonly string[] {
  const current = Buffer.from((change ? change.content : before) ?? []).toString("utf8");
  const words = new Set(`${task.title} ${task.description} ${current}`.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);
  return seen.flatMap(({ task: { path }, change: { diff } = { diff: "" } }) => {
    if (diff === "") return [];
    const name = path.slice(path.lastIndexOf("/") + 1).replace(/\..*/s, "");
    const declared = [...diff.matchAll(DECLARED)].map(([, one = ""]) => one);
    return [name, ...declared].some((word) => words.has(word)) ? [diff] : [];
  });
}

const DECLARED = listed(
  String.raw`^[-+ ].*?\b`,
  "function class def fn func interface struct enum trait type const let var val module record",
  String.raw`\s+([\p{L}_$][\p{L}\p{N}_$]*)`,
  "gmu",
);

function overlayOf(team: readonly TaskProgress[]): Overlay {
  return new Map(team.flatMap(({ task, change }) => (change ? [[task.path, change.content]] : [])));
}
