import type { Mirror } from "../ports/mirror.ts";
import type { MoneyPool } from "./create-money-pool.ts";
import type { EvaluationInput } from "./evaluating.ts";
import type { Instance } from "./instance.ts";
import { isOutsideFailure } from "./is-outside-failure.ts";
import { issueOfInstance } from "./issue-of-instance.ts";
import { judgeInstance } from "./judge-instance.ts";
import { measureInstance } from "./measure-instance.ts";
import { goldFiles } from "./measures/gold-files.ts";
import { parsePatch } from "./measures/parse-patch.ts";
import { type Baselines, rankBaselines } from "./measures/rank-baselines.ts";
import type { FinishedInstance } from "./results/result-folder.ts";
import type { Solved } from "./solve-instance.ts";

/** Files of each list that are kept for the recall curve. */
const RANKED = 50;

/** What came of one instance: its figures, or why there are none yet, in a sentence. */
export type Evaluated =
  | { readonly finished: FinishedInstance }
  | { readonly unfinished: string; readonly byBudget: boolean };

/**
 * Solves one instance with at most `money` US dollars, has it judged, and measures it. What it spends is noted as it goes.
 * An end for a reason outside, and one at a limit that only the evaluation's own budget set, are no results.
 * Throws RUN_CANCELLED when the signal fires, and what the mirror throws.
 */
export async function evaluateInstance(
  instance: Instance,
  deps: EvaluationInput & {
    readonly mirror: Mirror;
    readonly money: number;
    readonly pool: MoneyPool;
    onSpend(money: number): void;
  },
  signal: AbortSignal,
): Promise<Evaluated> {
  const { mirror, money, options } = deps;
  const withHints = !options.ablate.includes("hints");
  const { title, body } = issueOfInstance(instance, withHints);
  const baselines =
    options.files === "gold"
      ? undefined
      : await rankBaselines({
          ...{ mirror, commit: instance.baseCommit, baseline: deps.baseline, most: RANKED },
          issue: { title, body, hints: withHints ? instance.hints : "" },
        });
  const files = givenFiles(instance, deps, baselines);
  const began = performance.now();
  const given = { folder: mirror.folder, money, onSpend: deps.onSpend, ...(files && { candidates: files }) };
  const solved = await deps.solve(instance, given, signal);
  const wallMs = performance.now() - began;
  signal.throwIfAborted();
  const unfinished = whyUnfinished(solved, money < deps.instanceBudget);
  if (unfinished) return unfinished;
  const correlation = await judgeInstance(instance, solved, { ...deps, withHints }, signal);
  const metrics = await measureInstance({ ...deps, instance, solved, wallMs, baselines, correlation });
  return {
    finished: {
      prediction: { instance_id: instance.id, model_patch: solved.patch, model_name_or_path: deps.name },
      ...{ report: solved.report, metrics },
    },
  };
}

/** A reference change without existing files gives none: then they are searched for. */
function givenFiles(
  { patch }: Instance,
  { options, candidates }: Pick<EvaluationInput, "options" | "candidates">,
  baselines: Baselines | undefined,
): readonly string[] | undefined {
  if (options.files === "bm25") return baselines?.bm25.slice(0, candidates);
  const gold = options.files === "gold" ? goldFiles(parsePatch(patch)) : [];
  return gold.length > 0 ? gold : undefined;
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
