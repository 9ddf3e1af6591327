import type { MagisErrorCode } from "../data/error.ts";
import type { Log } from "../data/log.ts";
import type { MadePlan } from "../data/plan.ts";
import type { PhaseName, RunResult, StopReason } from "../data/run-state.ts";
import type { BudgetLimit } from "../data/spend.ts";
import { hasChange, type TaskOutcome, type Work } from "../data/work.ts";
import { isTestPath } from "../search/classify-file.ts";

/** A MagisError, or what is left of one after the engine kept it and read it back. */
interface Coded {
  code: MagisErrorCode;
  message: string;
  data?: Readonly<Record<string, unknown>>;
}

/** The result of a run that failed in `phase`. People see one sentence of the error; the rest goes to the log only. */
export function failureResult(error: unknown, phase: PhaseName, log: Log): RunResult {
  const { code, message, data } = codedError(error);
  if (code === "BUDGET_REACHED") {
    return {
      kind: "budget-reached",
      limit: (data?.limit ?? "money") as BudgetLimit,
      phase,
      patch: "",
      finished: [],
      unfinished: [],
    };
  }
  if (code === "NOTHING_TO_SEARCH") return { kind: "refused", reason: message };
  if (code === "SUBJECT_GONE") return { kind: "cancelled", by: "", undone: [], because: data?.why as StopReason };
  log.error({ error, phase, code }, "the run failed");
  return { kind: "failed", code, message };
}

function codedError(error: unknown): { code: MagisErrorCode | "UNEXPECTED"; message: string; data?: Coded["data"] } {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const found = [at, ...((at as { errors?: unknown[] }).errors ?? [])].find(isCoded);
    if (found) return { code: found.code, message: found.message, data: found.data };
  }
  return {
    code: "UNEXPECTED",
    message: "Something unexpected happened.",
  };
}

function isCoded(error: unknown): error is Coded {
  return (
    error instanceof Error && error.name === "MagisError" && typeof (error as { code?: unknown }).code === "string"
  );
}

/**
 * The end of a run whose plan has nothing to publish: no task, or tests alone because what they are to test may not be
 * changed. Undefined when there is something to do.
 */
export function resultOfPlan({ tasks, refused, reason, unsolved, questions = [] }: MadePlan): RunResult | undefined {
  const isTestAlone = refused > 0 && tasks.every(({ path }) => isTestPath(path));
  if (tasks.length > 0 && !isTestAlone) return undefined;
  if (questions.length > 0) return { kind: "asked", questions, reason };
  return { kind: refused > 0 || unsolved ? "gave-up" : "nothing-to-change", reason };
}

/** The end of a run whose coding phase made no change; undefined when there is one to publish. */
export function resultOfWork(work: Work): RunResult | undefined {
  const { outcomes, changes } = work;
  const done = outcomes.filter(hasChange);
  const stopped = resultAtBudget(work, done);
  if (stopped) return stopped;
  if (changes.length > 0) return undefined;
  const reasons = outcomes.map(({ path, summary }) => `\`${path}\`: ${summary}`).join("\n");
  return outcomes.some(({ status }) => status === "failed")
    ? { kind: "gave-up", reason: reasons }
    : { kind: "nothing-to-change", reason: reasons };
}

/** The end of a run whose coding phase reached its budget with `done`; undefined when it did not. */
export function resultAtBudget({ patch, stopped }: Work, done: readonly TaskOutcome[]): RunResult | undefined {
  if (!stopped) return undefined;
  const finished = done.map(({ summary, path }) => `${summary} (\`${path}\`)`);
  return { kind: "budget-reached", phase: "code", patch, finished, ...stopped };
}
