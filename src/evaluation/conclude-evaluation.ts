import { isMagisError } from "../model/magis-error.ts";
import { endText } from "./end-text.ts";
import type { EvaluationEnd } from "./evaluation-end.ts";
import type { EvaluationOptions } from "./evaluation-options.ts";
import type { Instance } from "./instance.ts";
import { gradePredictions, type RunGrader } from "./measures/grade-predictions.ts";
import { totalsOf } from "./measures/totals-of.ts";
import type { ComparedResults } from "./report/report-facts.ts";
import type { ResultFolder } from "./results/result-folder.ts";
import type { Evaluation } from "./run-evaluation.ts";
import { writePredictions } from "./write-predictions.ts";
import { writeResults } from "./write-results.ts";

/**
 * Writes predictions, has them graded when it is asked for and nothing stands in the way, and writes the report on all
 * that is finished in the folder: the chosen instances first, in their order. A grader that fails does not cost the report.
 */
export async function concludeEvaluation(
  deps: {
    readonly options: EvaluationOptions;
    readonly instances: readonly Instance[];
    readonly results: ResultFolder;
    readonly evaluation: Evaluation;
    readonly compared: readonly ComparedResults[];
    readonly runGrader: RunGrader;
    readonly version: string;
  },
  signal: AbortSignal,
): Promise<EvaluationEnd> {
  const { options, instances, results, evaluation } = deps;
  const places = new Map(instances.map(({ id }, index) => [id, index]));
  const placeOf = (id: string) => places.get(id) ?? places.size;
  const finished = [...(await results.finished()).values()].sort(
    (a, b) => placeOf(a.metrics.id) - placeOf(b.metrics.id),
  );
  const metrics = finished.map((one) => one.metrics);
  await writePredictions(
    results,
    finished.map(({ prediction }) => prediction),
  );
  const fault = await graded(
    deps,
    metrics.map(({ id }) => id),
    signal,
  );
  const grading = await results.grading();
  const totals = totalsOf(metrics, grading);
  await writeResults(results, {
    ...{ began: results.began, made: new Date().toISOString(), version: deps.version, metrics, totals, grading },
    ...{ commandLine: options.commandLine, configuration: results.configuration, compared: deps.compared },
    ...{ runtime: `Node ${process.versions.node}`, unfinished: evaluation.unfinished, spent: results.ledger.spent() },
  });
  const text = endText(totals, { folder: results.folder, unfinished: evaluation.unfinished, fault });
  if (signal.aborted) return { kind: "interrupted", text };
  if (evaluation.budgetReached) return { kind: "budget", text };
  return { kind: fault === undefined && evaluation.unfinished.size === 0 ? "done" : "failed", text };
}

/** Grades, unless the evaluation was interrupted; gives what went wrong, in a sentence. */
async function graded(
  { options, results, runGrader }: Parameters<typeof concludeEvaluation>[0],
  ids: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  if (signal.aborted || ids.length === 0) return undefined;
  try {
    const grading = await gradePredictions(options, { folder: results.folder, ids, runGrader }, signal);
    if (grading) await results.keepGrading(grading);
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    if (isMagisError(error)) return error.message;
    throw error;
  }
}
