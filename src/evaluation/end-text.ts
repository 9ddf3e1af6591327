import path from "node:path";
import type { Totals } from "./measures/totals-of.ts";
import { formatFigure } from "./report/format-figure.ts";

const { percent, money } = formatFigure;

/** What the command says at its end. */
export function endText(
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
