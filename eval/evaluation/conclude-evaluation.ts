import path from "node:path";
import { isMagisError } from "../../src/data/error.ts";
import { figure } from "../../src/text/counted.ts";
import type { Compare } from "./compare-results.ts";
import type { EvaluationEnd, ReportOptions } from "./evaluating.ts";
import type { Instance } from "./instances.ts";
import { type RunGrader, readGrading, runGrading } from "./measures/grading.ts";
import { RECALL_DEPTH, recallCurve, type Totals, totalsOf } from "./measures/totals.ts";
import { markdownReport } from "./report/markdown-report.ts";
import { paperPlots } from "./report/paper-sections.ts";
import { RECALL_PLOT, recallPlot } from "./report/recall-plot.ts";
import { formatFigure, notMeasured, type ReportFacts } from "./report/tables.ts";
import type { FinishedInstance, Prediction, ResultFolder } from "./results/result-folder.ts";
import type { Evaluation } from "./run-evaluation.ts";

/** What the command line chose of a file of instances. */
export interface ChosenInstances {
  /** undefined when no file was named */
  file: string | undefined;
  /** they stand first in the report, in their order */
  instances: readonly Instance[];
  /** how many instances fit the filter; undefined when no file was named */
  fitting: number | undefined;
}

interface Concluding {
  report: ReportOptions;
  chosen: ChosenInstances;
  results: ResultFolder;
  evaluation: Evaluation;
  /** Measures others' results on the instances of these ids. */
  compare: (ids: readonly string[]) => ReturnType<Compare>;
  runGrader: RunGrader;
  version: string;
}

/**
 * Writes the predictions, grades them if asked to, and writes the report on everything that is finished in the folder.
 * The report is also written when the grader fails.
 */
export async function concludeEvaluation(deps: Concluding, signal: AbortSignal): Promise<EvaluationEnd> {
  const { report, chosen, results, evaluation } = deps;
  const { unfinished } = evaluation;
  const places = new Map(chosen.instances.map(({ id }, index) => [id, index]));
  const placeOf = (one: Pick<FinishedInstance, "metrics">) => places.get(one.metrics.id) ?? places.size;
  const finished = [...(await results.finished()).values()].sort((a, b) => placeOf(a) - placeOf(b));
  const metrics = finished.map((one) => one.metrics);
  const predictions = finished.map(({ prediction }) => prediction);
  await writePredictions(results, PREDICTIONS, predictions);
  const isChecked = metrics.some(({ check }) => check !== null);
  if (isChecked) {
    const before = finished.map(({ prediction, metrics: { check } }) => ({
      ...prediction,
      model_patch: check?.unchecked ?? prediction.model_patch,
    }));
    await writePredictions(results, UNCHECKED, before);
  }
  const ids = metrics.map(({ id }) => id);
  const fault = await gradeAll(deps, ids, isChecked, signal);
  const grading = await results.grading();
  const totals = totalsOf(metrics, grading, await results.grading("grading-unchecked"));
  await writeResults(results, {
    making: {
      began: results.began,
      made: new Date().toISOString(),
      version: deps.version,
      runtime: `Node ${process.versions.node}`,
      command: report.commandLine,
      configuration: results.configuration,
    },
    spent: results.ledger.spent(),
    totals,
    metrics,
    grading,
    unfinished,
    fitting: chosen.fitting,
    compared: await deps.compare(ids),
  });
  const text = endText(totals, results.folder, unfinished.size, fault);
  if (signal.aborted) return { kind: "interrupted", text };
  if (evaluation.budgetReached) return { kind: "budget", text };
  return { kind: fault === undefined && unfinished.size === 0 ? "done" : "failed", text };
}

/** Grades, unless the evaluation was interrupted. Gives the fault in a sentence. */
async function gradeAll(
  { report, chosen, results, runGrader }: Concluding,
  ids: readonly string[],
  isChecked: boolean,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (signal.aborted || ids.length === 0) return undefined;
  const { grade } = report;
  const given = { folder: results.folder, instances: chosen.file, ids, runGrader };
  try {
    if (report.results !== undefined) await results.keepGrading(await readGrading(report.results, ids));
    if (grade === undefined) return undefined;
    await results.keepGrading(await runGrading(grade, { ...given, predictions: PREDICTIONS }, signal));
    if (isChecked) {
      const without = await runGrading(grade, { ...given, predictions: UNCHECKED }, signal);
      await results.keepGrading(without, "grading-unchecked");
    }
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    if (isMagisError(error)) return error.message;
    throw error;
  }
}

const { percent, money } = formatFigure;

/** The command's last words. */
function endText(
  { instances, applied, resolved, recall, spend }: Totals,
  folder: string,
  left: number,
  fault: string | undefined,
): string {
  const figures = [`applied ${percent(applied.ratio)}`];
  if (resolved) figures.push(`resolved ${percent(resolved.ratio)}`);
  if (recall) figures.push(`recall@10 ${percent(recall.custodian[9])}`);
  figures.push(`${money(spend.money?.total ?? 0)} in all`);
  const lines = [`${figure(instances, "instance")} finished: ${figures.join(", ")}.`];
  if (left > 0) {
    const are = left === 1 ? "instance is" : "instances are";
    lines.push(`${left} ${are} not finished; the same command goes on with them.`);
  }
  if (fault !== undefined) lines.push(fault);
  return [...lines, `Report: ${path.join(folder, "report.md")}`].join("\n");
}

const PREDICTIONS = "predictions.jsonl";

/** The predictions as they were before checks changed them. */
const UNCHECKED = "predictions-unchecked.jsonl";

/** Writes a line for each finished instance, as the official harness reads it. */
async function writePredictions(
  results: Pick<ResultFolder, "write">,
  name: string,
  predictions: readonly Prediction[],
): Promise<void> {
  await results.write(name, predictions.map((one) => `${JSON.stringify(one)}\n`).join(""));
}

/** Raise it when the form of `results.json` changes. */
const FORMAT = 1;

/** Writes `results.json`, the plot and `report.md` into the folder. */
async function writeResults(results: Pick<ResultFolder, "write">, facts: ReportFacts): Promise<void> {
  const { making, spent, totals, metrics, grading, unfinished } = facts;
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
    ...making,
    spent,
    totals,
    instances,
    unfinished: Object.fromEntries(unfinished),
    notMeasured: notMeasured(facts),
  };
  await results.write("results.json", `${JSON.stringify(document, undefined, 2)}\n`);
  for (const [name, plot] of paperPlots(facts)) await results.write(name, plot);
  if (totals.recall) await results.write(RECALL_PLOT, recallPlot(totals.recall));
  await results.write("report.md", markdownReport(facts));
}
