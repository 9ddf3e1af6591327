import pMap from "p-map";
import { carryOut } from "../../change/work-plan.ts";
import { createWorkingCopy, type FinishedTask, placeComments } from "../../change/working-copy.ts";
import { unifiedDiff } from "../../code/edits/diff.ts";
import { isAnswerError } from "../../data/error.ts";
import type { Task } from "../../data/plan.ts";
import type { JudgedFile } from "../../data/run-record.ts";
import { type BudgetLimit, limitReached } from "../../data/spend.ts";
import type { Work } from "../../data/work.ts";
import type { EvolutionMemory } from "../../run/evolution-memory.ts";
import type { CodeInput, LocateInput, Pool, Strategy } from "../../run/strategy.ts";
import { createPaperCustodian, createPaperDeveloper, createPaperQaEngineer, type PaperCustodian } from "./agents.ts";
import { planInTurns } from "./plan.ts";
import { resolveTask } from "./resolve-task.ts";

/** The paper's form, call by call. */
export const paper: Strategy = {
  /** P8 once; at least P9, P10 and P11 in each round; the pull request's words */
  form: { once: 1, aRound: 3, team: 0, atEnd: 1 },
  shortlist: shortlistOneByOne,
  plan: planInTurns,
  code: writeTaskByTask,
};

/** The most concurrent calls of one phase. */
const AT_ONCE = 4;

/** Algorithm 1, lines 3 to 18, as in the paper: summarises each file with the memory (P1, P2) and judges it (P3). */
function shortlistOneByOne(deps: LocateInput, { files }: Pool): Promise<readonly JudgedFile[]> {
  const custodian = createPaperCustodian(deps.prompts);
  const memory = deps.settings.ablate.includes("memory") ? undefined : deps.memory;
  return pMap(
    files,
    async (file) => {
      const content = await deps.repository.readBlob(file.blob);
      const { summary, source } = await summariseFile({ ...deps, custodian, memory }, { ...file, content });
      const [verdict] = await custodian.judgeRelevance(deps.issue, [{ ...file, summary }]);
      return {
        path: file.path,
        blob: file.blob,
        score: file.score,
        reasons: file.reasons,
        summary,
        source,
        relevant: verdict?.relevant ?? false,
        reason: verdict?.reason ?? "",
      };
    },
    { concurrency: AT_ONCE },
  );
}

/** The most characters of a file that are shown; the model sees a note where it is cut. */
const MAX_CHARACTERS = 200_000;

/** What `summariseFile` works with. */
interface SummariseInput extends Omit<LocateInput, "memory"> {
  custodian: PaperCustodian;
  /** undefined: summarise every file anew */
  memory: EvolutionMemory | undefined;
}

/**
 * Algorithm 1, lines 4 to 14: the summary of a file's version. A remembered version costs no call; an earlier one is
 * updated by a commit message for the difference (P1); else the file is summarised (P2). Remembers the summary under
 * the version's blob id.
 */
async function summariseFile(
  { request: { repository }, custodian, memory, host }: SummariseInput,
  file: { path: string; blob: string; content: Uint8Array },
): Promise<{ summary: string; source: string }> {
  const text = Buffer.from(file.content).toString("utf8");
  const known = await memory?.recall(repository, file.path, file.blob);
  const usable = known !== undefined && known.summary.length < text.length ? known : undefined;
  if (usable?.blob === file.blob) {
    await memory?.update(repository, { path: file.path, blob: file.blob, summary: usable.summary });
    return { summary: usable.summary, source: "remembered" };
  }
  const earlier = usable && (await host.readBlob(usable.blob));
  const diff = earlier && unifiedDiff(file.path, earlier, file.content);
  const shown = clip(text);
  // Summarise anew if the diff is longer than the file.
  const update = usable && diff !== undefined && diff.length <= shown.length;
  const summary = update
    ? `${usable.summary}\n${await custodian.summariseChange(file.path, usable.summary, diff)}`
    : await custodian.summariseFile(file.path, shown);
  await memory?.update(repository, { path: file.path, blob: file.blob, summary });
  return { summary, source: update ? "updated (P1)" : "written (P2)" };
}

function clip(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  return `${text.slice(0, MAX_CHARACTERS)}\n[the remaining ${text.length - MAX_CHARACTERS} characters of the file are not shown]`;
}

/**
 * Coding (3.2.2) in the paper's form: carries out the plan, with a QA Engineer for each task. Parallel tasks run
 * concurrently; a task sees the diffs of the tasks before it in the plan, never of parallel ones, so that running it
 * again makes the same calls. A task without a usable answer fails alone. When the budget is reached, finished work is
 * kept.
 */
async function writeTaskByTask(deps: CodeInput): Promise<Work> {
  const { plan, tracker, prompts, log } = deps;
  const copy = createWorkingCopy(deps.repository);
  const agents = { developer: createPaperDeveloper(prompts), qaEngineer: createPaperQaEngineer(prompts) };
  let limit: BudgetLimit | undefined;

  async function runTask(id: string, before: readonly FinishedTask[]): Promise<readonly FinishedTask[]> {
    if (limit) return [];
    const task = plan.tasks.find((one) => one.id === id) as Task;
    await tracker.task(task.id, "working");
    const team = {
      tasks: plan.tasks,
      agreed: plan.agreed,
      finished: before.map(({ diff }) => diff).filter((diff) => diff !== ""),
    };
    try {
      const finished = await resolveTask({ ...deps, ...agents, task, team, copy });
      await tracker.task(task.id, finished.outcome.status);
      return [finished];
    } catch (error) {
      const reached = limitReached(error);
      if (!reached && !isAnswerError(error)) throw error;
      limit = reached ?? limit;
      if (limit) {
        await tracker.task(task.id, "waiting");
        return [];
      }
      log.warn({ error, task: task.id }, "a task failed");
      await tracker.task(task.id, "failed");
      return [failedOutcome(task, (error as Error).message)];
    }
  }

  const finished = await carryOut(plan.order, runTask);
  const outcomes = await placeComments(finished, copy);
  const done = new Set(outcomes.map(({ taskId }) => taskId));
  const unfinished = plan.tasks.filter(({ id }) => !done.has(id)).map(({ title, path }) => `${title} (\`${path}\`)`);
  return {
    outcomes,
    changes: await copy.changes(),
    patch: await copy.patch(),
    stopped: limit && { limit, unfinished },
  };
}

/** A task without a usable change; its file stays as it was. */
function failedOutcome(task: Task, reason: string): FinishedTask {
  const outcome = {
    taskId: task.id,
    path: task.path,
    status: "failed",
    qaEngineer: { title: "", description: "" },
    attempts: [],
    comments: [],
    summary: reason,
  } as const;
  return { outcome, diff: "", reviewed: new Map() };
}
