import { createPathGuard } from "../change/path-guard.ts";
import type { Candidate, MadePlan } from "../data/plan.ts";
import type { JudgedFile } from "../data/run-record.ts";
import type { RunSettings } from "../data/settings.ts";
import type { TaskOutcome, Work } from "../data/work.ts";
import { keepPlan } from "../run/start.ts";
import type { CodeInput, LocateInput, PlanInput, Strategy } from "../run/strategy.ts";
import { counted } from "../text/counted.ts";
import { writeTogether } from "./lean/code.ts";
import { shortlistTogether } from "./lean/locate.ts";
import { planTogether } from "./lean/plan.ts";
import { paper } from "./paper/paper.ts";
import { rankedBefore, rankRepository } from "./rank-repository.ts";

/** The product's own profile: what one call can answer is asked together. */
export const lean: Strategy = {
  /** each Developer's change, and one review */
  form: { once: 0, aRound: 1, team: 1, atEnd: 0 },
  shortlist: shortlistTogether,
  plan: planTogether,
  code: writeTogether,
};

/** The profiles by their names; a profile is its folder, its prompts' folder, and its entry here. */
export const PROFILES: Readonly<Record<RunSettings["profile"], Strategy>> = { lean, paper };

/**
 * Algorithm 1, locating: ranks the repository against the issue, then lets the Custodian judge the best of it. Gives the
 * candidates in ranked order. Throws NOTHING_TO_SEARCH, before any model is asked, where no file can be searched.
 */
export async function locateFiles(deps: LocateInput): Promise<readonly Candidate[]> {
  const { settings, tracker, record } = deps;
  const { pool, detail, counts, unread } = deps.ranked ? rankedBefore(deps.ranked, deps) : await rankRepository(deps);
  await tracker.detail(detail);
  const judged = await PROFILES[settings.profile].shortlist(deps, pool);
  const kept = keep(judged);
  await record("candidates", { judged, note: kept.note });
  const looked = `${counts}, ${judged.length} looked at, ${kept.files.length} kept`;
  await tracker.conclude(unread ? `${looked}; ${unread}` : looked);
  return kept.files.map(({ path, blob, score, reasons, summary, reason, names, use }) => ({
    path,
    blob,
    score,
    reasons,
    summary: summary || reason,
    names: names?.length ? names : undefined,
    use,
  }));
}

/** The best-ranked files that stay when the Custodian drops them all: a strict filter must not end a run. */
const KEPT_AT_LEAST = 3;

function keep(judged: readonly JudgedFile[]): { files: readonly JudgedFile[]; note?: string } {
  const relevant = judged.filter((file) => file.relevant);
  if (relevant.length > 0 || judged.length === 0) return { files: relevant };
  const note = "The Custodian judged no file to be relevant; the best-ranked were kept.";
  return { files: judged.slice(0, KEPT_AT_LEAST), note };
}

/**
 * Algorithm 2, making the plan. A team of one has nothing to agree on and nothing to order: it holds no meeting.
 */
export async function makePlan(deps: PlanInput): Promise<MadePlan> {
  const { repository, policy, settings, tracker } = deps;
  const guard = await createPathGuard(repository, policy);
  const plan = { ...(await PROFILES[settings.profile].plan(deps, guard)), policy: deps.aiPolicy };
  await keepPlan(plan, deps);
  await tracker.conclude(sentenceOfPlan(plan));
  return plan;
}

function sentenceOfPlan({ tasks, meeting, unsolved, questions = [] }: MadePlan): string {
  if (tasks.length === 0 && unsolved) return "no change was found";
  if (tasks.length === 0) return questions.length > 0 ? "there are questions first" : "no file has to change";
  const agreed = tasks.length > 1 && meeting.length > 0 ? ", agreed on in a kick-off meeting" : "";
  return `${counted(tasks.length, "task")}${agreed}`;
}

/**
 * Coding (3.2.2): carries out the plan in rounds of work and review. A task without a usable answer fails alone; when
 * the budget is reached, what is finished is kept.
 */
export async function writeCode(deps: CodeInput): Promise<Work> {
  const work = await PROFILES[deps.settings.profile].code(deps);
  await deps.record("work", work);
  await deps.tracker.conclude(sentenceOfWork(work.outcomes));
  return work;
}

function sentenceOfWork(outcomes: readonly TaskOutcome[]): string {
  const count = (status: TaskOutcome["status"]) => outcomes.filter((outcome) => outcome.status === status).length;
  const parts = [
    [count("approved"), "approved by QA"],
    [count("mended"), "mended by QA"],
    [count("open"), "with open QA comments"],
    [count("unchanged"), "without a change"],
    [count("failed"), "failed"],
  ] as const;
  return parts.flatMap(([number, text]) => (number > 0 ? [`${number} ${text}`] : [])).join(", ");
}
