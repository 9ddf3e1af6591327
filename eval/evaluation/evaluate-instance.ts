import type { RunResult } from "../../src/data/run-state.ts";
import type { RecordedCall } from "../../src/models/language-model.ts";
import { CANDIDATES } from "../../src/run/strategy.ts";
import type { Mirror } from "../mirror.ts";
import type { EvaluationInput, MoneyPool, Solved } from "./evaluating.ts";
import { type Instance, issueOfInstance } from "./instances.ts";
import { measureInstance } from "./measure-instance.ts";
import { type Baselines, type createLunrBaseline, rankBaselines } from "./measures/baselines.ts";
import { type InstanceMetrics, measuredParts } from "./measures/metrics.ts";
import { parsePatch } from "./measures/patch.ts";
import { goldFiles } from "./measures/patch-measures.ts";
import type { FinishedInstance } from "./results/result-folder.ts";

/** Files of each list that are kept for the recall curve. */
const RANKED = 50;

/** An instance's figures, or a sentence that says why there are none yet. */
export type Evaluated = { finished: FinishedInstance } | { unfinished: string; byBudget: boolean };

/**
 * Solves one instance with at most `money` US dollars, judges it and measures it. Notes what it spends as it goes. The
 * instance stays unfinished when something outside failed, or when only the evaluation's budget cut it short. Throws
 * RUN_CANCELLED when the signal fires, and what the mirror throws.
 */
export async function evaluateInstance(
  instance: Instance,
  deps: EvaluationInput & {
    mirror: Mirror;
    baseline: ReturnType<typeof createLunrBaseline>;
    money: number;
    pool: MoneyPool;
    onSpend(money: number): void;
  },
  signal: AbortSignal,
): Promise<Evaluated> {
  const { mirror, money, method, solver } = deps;
  const withHints = !method.ablate.includes("hints");
  const { title, body } = issueOfInstance(instance, withHints);
  const baselines =
    method.files === "gold"
      ? undefined
      : await rankBaselines({
          mirror,
          commit: instance.baseCommit,
          baseline: deps.baseline,
          most: RANKED,
          issue: { title, body, hints: withHints ? instance.hints : "" },
        });
  const began = performance.now();
  const given = {
    mirror,
    money,
    onSpend: deps.onSpend,
    candidates: givenFiles(instance, deps, baselines),
    ranked: method.locate === "paper" ? baselines?.bm25 : undefined,
    memory: deps.memory?.before(await mirror.committedAt(instance.baseCommit)),
  };
  const solved = await solver.solve(instance, given, signal);
  const wallMs = performance.now() - began;
  signal.throwIfAborted();
  const unfinished = whyUnfinished(solved, money < deps.limits.instanceBudget);
  if (unfinished) return unfinished;
  const correlation = await judgeInstance(instance, solved, { ...deps, withHints }, signal);
  const metrics = await measureInstance({
    instance,
    solved,
    wallMs,
    mirror,
    parser: solver.parser,
    // A single call locates nothing.
    baselines: method.system === "direct" ? undefined : baselines,
    correlation,
  });
  return {
    finished: {
      prediction: { instance_id: instance.id, model_patch: solved.patch, model_name_or_path: deps.name },
      report: solved.report,
      metrics,
    },
  };
}

/** A reference change of new files only names none: MAGIS then searches for them. */
function givenFiles(
  { patch }: Instance,
  { method: { files, system } }: Pick<EvaluationInput, "method">,
  baselines: Baselines | undefined,
): readonly string[] | undefined {
  if (files === "bm25") return baselines?.bm25.slice(0, CANDIDATES);
  const gold = files === "gold" ? goldFiles(parsePatch(patch)) : [];
  return gold.length > 0 || system === "direct" ? gold : undefined;
}

function whyUnfinished({ result, report }: Solved, cutShort: boolean): Evaluated | undefined {
  if (result.kind === "failed" && isOutsideFailure(result, report.calls))
    return { unfinished: result.message, byBudget: false };
  if (result.kind === "cancelled") return { unfinished: "It was interrupted.", byBudget: false };
  if (result.kind === "budget-reached" && result.limit === "money" && cutShort) {
    return { unfinished: "What was left of --budget was not enough for it.", byBudget: true };
  }
  return undefined;
}

/** The ledger's name for the judgement of an instance. */
const judgeAttempt = (id: string) => `${id} judge`;

/** US dollars: the most that a judgement may use, and the least that must be left for one. */
const MAX = 1;

const LEAST = 0.05;

/** Task correlation; needs a judge, tasks, a reference change, and money left. */
async function judgeInstance(
  instance: Instance,
  solved: Solved,
  deps: Pick<EvaluationInput, "solver" | "results" | "progress"> & {
    pool: MoneyPool;
    withHints: boolean;
  },
  signal: AbortSignal,
): Promise<InstanceMetrics["correlation"]> {
  const { tasks } = measuredParts(solved.report.record);
  const { judge } = deps.solver;
  if (!judge || tasks.length === 0 || instance.patch.trim() === "") return null;
  const held = deps.pool.hold(MAX, LEAST);
  if (!held) {
    deps.progress(`${instance.id}: nothing is left of --budget for the judge; task correlation is not measured.`);
    return null;
  }
  const note = deps.results.ledger.begin(judgeAttempt(instance.id));
  let used = 0;
  try {
    const given = { money: held.money, hints: deps.withHints };
    const { correlation, money, failure } = await judge(instance, tasks, given, signal);
    used = money;
    note(money);
    if (failure !== undefined) deps.progress(`${instance.id}: the judge left a task without a score: ${failure}`);
    return correlation ?? null;
  } finally {
    held.settle(used);
  }
}

const AWAY: ReadonlySet<string> = new Set([
  "MODEL_UNAVAILABLE",
  "MODEL_REJECTED",
  "CONFIGURATION_INVALID",
  "PROMPT_INVALID",
  "DATABASE_UNAVAILABLE",
  "BLOB_MISSING",
]);

/**
 * Whether a run failed for a reason that says nothing about the instance: the model's service or the mirror was down,
 * the key was refused before any call succeeded, or a prompt is broken. Such an instance runs again.
 */
export function isOutsideFailure(result: RunResult, calls: readonly RecordedCall[]): boolean {
  if (result.kind !== "failed" || !(AWAY.has(result.code) || result.code.startsWith("GIT_"))) return false;
  return result.code !== "MODEL_REJECTED" || calls.every(({ failure }) => failure !== undefined);
}
