import { createPathGuard, type PathGuard } from "../../change/path-guard.ts";
import { type ShownFile, showFile } from "../../code/edits/numbered.ts";
import type { FailedCheck } from "../../data/checks.ts";
import type { IssueSnapshot } from "../../data/discussion.ts";
import { isAnswerError } from "../../data/error.ts";
import { nextTask } from "../../data/marks.ts";
import type { MadePlan } from "../../data/plan.ts";
import type { Repository } from "../../git/repository.ts";
import { createManager, type RepairPlan } from "../../models/agents.ts";
import { findOrigin, staffPlan } from "../../run/origin.ts";
import type { PhaseContext } from "../../run/run-context.ts";
import { keepPlan } from "../../run/start.ts";
import { shownTitle } from "../../text/shown-text.ts";
import type { FailingChecks } from "./read-situation.ts";

/** The tasks of a repair, and the Manager's reason; no tasks: why no change repairs the checks. */
export interface PlannedRepair {
  plan: MadePlan;
  title: string;
  reason: string;
}

/**
 * Plans a repair: the Manager sees the failures, the files of the pull request and those that the logs name, and gives
 * tasks or says why no change helps. A file's task goes to the Developer who wrote it, where that is known.
 */
export async function planRepair(
  deps: PhaseContext & {
    failing: FailingChecks;
    failures: readonly FailedCheck[];
    /** paths that the pull request changes */
    changed: readonly string[];
    issue: IssueSnapshot;
  },
): Promise<PlannedRepair> {
  const { failing, failures, changed, issue, host, repository } = deps;
  const { pull, earlier } = failing;
  const manager = createManager(deps.prompts);
  const guard = await createPathGuard(repository, deps.policy);
  const named = failures.flatMap(({ places }) => places.map(({ path }) => path));
  const shown = await showFiles([...changed, ...named], repository, guard);
  const tried = earlier.map(({ commit, title }) => `${commit.slice(0, 10)}: ${shownTitle(title)}`);
  const answer = await asked(() => manager.planRepair(issue, { ...shown, earlier: tried }, faultOf(guard)));

  const { roles } = await findOrigin(pull, deps);
  const said = (await host.listThreads(pull.number)).flatMap(({ comments }) => comments);
  const first = nextTask(said, roles.length, host.login);
  const wanted = answer.repairable ? answer.tasks : [];
  const { reason } = answer;
  const assignments = wanted.map((task, at) => ({ ...task, id: `t${first + at}` }));
  const plan = await staffPlan(assignments, { manager, issue, roles, reason });
  await keepPlan(plan, deps);
  return { plan, title: answer.title.trim() || "repair the failing checks", reason };
}

/** An unusable plan after a second try, or a refusal of the model, counts as no plan. */
async function asked(ask: () => Promise<RepairPlan>): Promise<RepairPlan> {
  try {
    return await ask();
  } catch (error) {
    if (!isAnswerError(error)) throw error;
    return { repairable: false, reason: error.message, title: "", tasks: [] };
  }
}

function faultOf(guard: PathGuard) {
  return ({ repairable, tasks }: RepairPlan): string | undefined => {
    if (!repairable) return undefined;
    if (tasks.length === 0) return "A repair needs a task. If no change of files helps, `repairable` is false.";
    const paths = tasks.map(({ path }) => path);
    const twice = paths.find((path, at) => paths.indexOf(path) < at);
    if (twice !== undefined) return `There are two tasks on ${twice}. Make them one.`;
    const refused = tasks.flatMap((task) => guard(task, tasks) ?? []).map(({ path, reason }) => `- ${path}: ${reason}`);
    return refused.length === 0
      ? undefined
      : `These files cannot be changed like that:\n${refused.join("\n")}\nIf nothing else helps, \`repairable\` is false.`;
  };
}

const MAX_FILES = 12;

const MAX_FILE_LENGTH = 60_000;

const MAX_CHARACTERS = 160_000;

/** The files of `paths` that a task may change, as prompts show them: as many as fit, the others by name. */
async function showFiles(
  paths: readonly string[],
  repository: Repository,
  guard: PathGuard,
): Promise<{ files: readonly ShownFile[]; others: readonly string[] }> {
  const files: ShownFile[] = [];
  const others: string[] = [];
  let left = MAX_CHARACTERS;
  for (const path of new Set(paths)) {
    const entry = repository.entries.get(path);
    if (!entry || guard({ path, action: "modify" })) continue;
    const file = files.length < MAX_FILES ? showFile(path, await repository.readBlob(entry.blob)) : undefined;
    if (!file || file.content.length > Math.min(left, MAX_FILE_LENGTH)) others.push(path);
    else {
      files.push(file);
      left -= file.content.length;
    }
  }
  return { files, others };
}
