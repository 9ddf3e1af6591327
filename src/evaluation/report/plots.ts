import { RECALL_DEPTH } from "../measures/totals.ts";
import { barChart, lineChart } from "./charts.ts";
import type { ReportFacts } from "./facts.ts";
import { formatFigure } from "./tables.ts";

/** The plots' files, and what each shows. */
export const PLOTS = {
  "recall.svg": "Recall of the files to change over the number of files",
  "cost.svg": "US dollars for each instance",
  "tokens.svg": "Tokens for each instance",
  "calls.svg": "Calls one after another for each instance",
} as const;

/** The plots by file name, as SVG text; what was not measured has none. */
export function plotsOf({ metrics, totals }: Pick<ReportFacts, "metrics" | "totals">): ReadonlyMap<string, string> {
  const plots = new Map<string, string>();
  const { recall } = totals;
  if (recall) {
    const lines = [
      { name: "Custodian", values: recall.custodian },
      { name: "BM25 (lunr)", values: recall.bm25 },
      { name: "ranking, no model", values: recall.ranking },
    ];
    const across = `number of files (1 to ${RECALL_DEPTH})`;
    plots.set("recall.svg", lineChart({ title: PLOTS["recall.svg"], across, lines, percent: true }));
  }
  if (metrics.length === 0) return plots;
  const bars = (name: keyof typeof PLOTS, show: (value: number) => string, values: (at: number) => number[]) => {
    const rows = metrics.map(({ id }, index) => ({ name: id, values: values(index) }));
    return { title: PLOTS[name], bars: rows, show };
  };
  const spend = (at: number) => metrics[at]?.spend;
  plots.set("cost.svg", barChart(bars("cost.svg", formatFigure.money, (at) => [spend(at)?.money ?? 0])));
  const tokens = bars("tokens.svg", formatFigure.number, (at) => {
    const { input = 0, cacheWrite = 0, cacheRead = 0, output = 0 } = spend(at) ?? {};
    return [input, cacheWrite, cacheRead, output];
  });
  plots.set("tokens.svg", barChart({ ...tokens, parts: ["input", "cache write", "cache read", "output"] }));
  plots.set("calls.svg", barChart(bars("calls.svg", formatFigure.number, (at) => [spend(at)?.sequentialCalls ?? 0])));
  return plots;
}
