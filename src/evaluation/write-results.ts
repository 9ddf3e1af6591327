import { recallCurve } from "./measures/recall-curve.ts";
import { RECALL_DEPTH } from "./measures/totals-of.ts";
import { markdownReport } from "./report/markdown-report.ts";
import { notMeasured } from "./report/not-measured.ts";
import { plotsOf } from "./report/plots-of.ts";
import type { ReportFacts } from "./report/report-facts.ts";
import type { ResultFolder } from "./results/result-folder.ts";

/** Raised when the form of `results.json` changes. */
const FORMAT = 1;

/** Writes `results.json`, the plots and `report.md` into the folder. */
export async function writeResults(results: Pick<ResultFolder, "write">, facts: ReportFacts): Promise<void> {
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
        ranking: recallCurve(one.recall.ranking, one.recall.gold, RECALL_DEPTH),
      },
    },
  }));
  const document = {
    ...{ format: FORMAT, began: facts.began, made: facts.made, version: facts.version, runtime: facts.runtime },
    ...{ command: facts.commandLine, configuration: facts.configuration, spent: facts.spent, totals, instances },
    unfinished: Object.fromEntries(unfinished),
    notMeasured: notMeasured(facts),
  };
  await results.write("results.json", `${JSON.stringify(document, undefined, 2)}\n`);
  const plots = plotsOf(facts);
  for (const [name, svg] of plots) await results.write(name, svg);
  await results.write("report.md", markdownReport(facts, [...plots.keys()]));
}
