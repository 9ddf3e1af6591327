import path from "node:path";
import { isMagisError } from "../model/error.ts";
import type { EvaluationEnd, EvaluationOptions } from "./evaluating.ts";
import type { Instance } from "./instances.ts";
import { gradePredictions, type RunGrader } from "./measures/grading.ts";
import { RECALL_DEPTH, recallCurve, type Totals, totalsOf } from "./measures/totals.ts";
import { markdownReport } from "./report/markdown-report.ts";
import { plotsOf } from "./report/plots.ts";
import { type ComparedResults, formatFigure, notMeasured, type ReportFacts } from "./report/tables.ts";
import type { Prediction, ResultFolder } from "./results/result-folder.ts";
import type { Evaluation } from "./run-evaluation.ts";

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
  const unchecked = finished.map(({ prediction, metrics: { check } }) =>
    check ? { ...prediction, model_patch: check.unchecked } : prediction,
  );
  const isChecked = metrics.some(({ check }) => check !== null);
  if (isChecked) await writePredictions(results, unchecked, UNCHECKED);
  const fault = await graded(
    deps,
    metrics.map(({ id }) => id),
    isChecked,
    signal,
  );
  const grading = await results.grading();
  const totals = totalsOf(metrics, grading, await results.grading("grading-unchecked"));
  await writeResults(results, {
    began: results.began,
    made: new Date().toISOString(),
    version: deps.version,
    metrics,
    totals,
    grading,
    commandLine: options.commandLine,
    configuration: results.configuration,
    compared: deps.compared,
    runtime: `Node ${process.versions.node}`,
    unfinished: evaluation.unfinished,
    spent: results.ledger.spent(),
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
  isChecked: boolean,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (signal.aborted || ids.length === 0) return undefined;
  try {
    const grading = await gradePredictions(options, { folder: results.folder, ids, runGrader }, signal);
    if (grading) await results.keepGrading(grading);
    if (isChecked && options.grade !== undefined) {
      const deps = { folder: results.folder, ids, runGrader, predictions: UNCHECKED };
      const without = await gradePredictions({ ...options, results: undefined }, deps, signal);
      if (without) await results.keepGrading(without, "grading-unchecked");
    }
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    if (isMagisError(error)) return error.message;
    throw error;
  }
}

const { percent, money } = formatFigure;

/** What the command says at its end. */
function endText(
  { instances, applied, resolved, recall, spend }: Totals,
  end: {
    readonly folder: string;
    readonly unfinished: ReadonlyMap<string, string>;
    readonly fault: string | undefined;
  },
): string {
  const figures = [
    `applied ${percent(applied.ratio)}`,
    ...(resolved ? [`resolved ${percent(resolved.ratio)}`] : []),
    ...(recall ? [`recall@10 ${percent(recall.custodian[9])}`] : []),
    `${money(spend.money?.total ?? 0)} in all`,
  ];
  const left = end.unfinished.size;
  const again = `${left} ${left === 1 ? "instance is" : "instances are"} not finished; the same command goes on with them.`;
  return [
    `${instances} ${instances === 1 ? "instance" : "instances"} finished: ${figures.join(", ")}.`,
    ...(left > 0 ? [again] : []),
    ...(end.fault === undefined ? [] : [end.fault]),
    `Report: ${path.join(end.folder, "report.md")}`,
  ].join("\n");
}

/** The predictions without what checks have changed. */
const UNCHECKED = "predictions-unchecked.jsonl";

/** Writes `predictions.jsonl`, a line for each finished instance, as the official harness reads it. */
async function writePredictions(
  results: Pick<ResultFolder, "write">,
  predictions: readonly Prediction[],
  name = "predictions.jsonl",
): Promise<void> {
  await results.write(name, predictions.map((one) => `${JSON.stringify(one)}\n`).join(""));
}

/** Raised when the form of `results.json` changes. */
const FORMAT = 1;

/** Writes `results.json`, the plots and `report.md` into the folder. */
async function writeResults(results: Pick<ResultFolder, "write">, facts: ReportFacts): Promise<void> {
  const { metrics, totals, grading, unfinished } = facts;
  const instances = metrics.map((one) => ({
    ...one,
    resolved: grading?.get(one.id) ?? null,
    recall: one.recall && {
      ...one.recall,
      // At 1, 2, 3, … files.
      curves: {
        custodian: recallCurve(one.recall.custodian, one.recall.gold, RECALL_DEPTH),
        bm25: recallCurve(one.recall.bm25, one.recall.gold, RECALL_DEPTH),
        lunr: recallCurve(one.recall.lunr, one.recall.gold, RECALL_DEPTH),
        ranking: recallCurve(one.recall.ranking, one.recall.gold, RECALL_DEPTH),
      },
    },
  }));
  const document = {
    format: FORMAT,
    began: facts.began,
    made: facts.made,
    version: facts.version,
    runtime: facts.runtime,
    command: facts.commandLine,
    configuration: facts.configuration,
    spent: facts.spent,
    totals,
    instances,
    unfinished: Object.fromEntries(unfinished),
    notMeasured: notMeasured(facts),
  };
  await results.write("results.json", `${JSON.stringify(document, undefined, 2)}\n`);
  const plots = plotsOf(facts);
  for (const [name, svg] of plots) await results.write(name, svg);
  await results.write("report.md", markdownReport(facts, [...plots.keys()]));
}
