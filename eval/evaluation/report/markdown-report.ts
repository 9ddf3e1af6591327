import { codeSpan } from "../../../src/text/compose-markdown.ts";
import type { InstanceMetrics } from "../measures/metrics.ts";
import { estimateFor } from "../measures/statistics.ts";
import { recallCurve, summarise } from "../measures/totals.ts";
import { paperSections } from "./paper-sections.ts";
import { formatFigure, markdownTable, notMeasured, type ReportFacts, totalSections } from "./tables.ts";

/** `report.md`: the totals first, then each instance, then what was not measured. */
export function markdownReport(facts: ReportFacts): string {
  const { making, spent, totals } = facts;
  const settings = Object.entries(making.configuration)
    .filter(([name, value]) => name !== "magis" && value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`);
  const moment = (iso: string) => `${iso.slice(0, 16).replace("T", " ")} UTC`;
  const sections = [
    "# MAGIS evaluation",
    [
      `- Made ${moment(making.made)}, begun ${moment(making.began)}, MAGIS ${making.version}, ${making.runtime}`,
      `- Models that answered: ${totals.models.map((model) => `\`${model}\``).join(", ") || "none"}`,
      `- Command: \`${making.command.replaceAll("`", "'")}\``,
      `- Settings: ${settings.join(" · ").replaceAll("\n", " ")}`,
      `- Spent on everything, attempts without a result and the judge included: ${formatFigure.money(spent)}`,
      ...estimateLine(facts),
    ].join("\n"),
    ...totalSections(facts),
    ...paperSections(facts),
    ...instanceSections(facts),
    "## What was not measured",
    notMeasured(facts)
      .map((sentence) => `- ${sentence}`)
      .join("\n"),
    ...unfinishedSection(facts),
    "The definitions of all figures are in `docs/evaluation.md`; `results.json` beside this file has every number.",
  ];
  return `${sections.join("\n\n")}\n`;
}

/** What all instances of the file would cost, where not all of them are finished. */
function estimateLine({ metrics, fitting = 0 }: ReportFacts): string[] {
  if (metrics.length >= fitting) return [];
  const costs = metrics.map(({ spend, correlation }) => spend.money + (correlation?.money ?? 0));
  const cost = estimateFor(fitting, costs);
  if (!cost) return [];
  const range = `${money(cost.least)} to ${money(cost.most)}`;
  return [`- All ${fitting} instances would cost about ${money(cost.total)} (${range}), by the first ${cost.from}`];
}

function unfinishedSection({ unfinished }: ReportFacts): string[] {
  if (unfinished.size === 0) return [];
  const lines = [...unfinished].map(([id, reason]) => `- \`${id}\`: ${codeSpan(reason)}`);
  return ["## Instances that are not finished", lines.join("\n")];
}

const { percent, money, seconds, number } = formatFigure;

const HEAD = ["instance", "end", "applied", "resolved", "recall@1", "@5", "@10", "line coverage", "correlation"];

const COSTS = ["calls", "in a row", "lookups", "tokens", "money", "wall", "critical path"];

/** The sections on each instance. */
function instanceSections({ metrics, grading }: Pick<ReportFacts, "metrics" | "grading">): string[] {
  const row = (one: InstanceMetrics) => {
    const { spend, recall } = one;
    const curve = recall ? recallCurve(recall.custodian, recall.gold, 10) : [];
    return [
      `\`${one.id}\``,
      one.end.kind,
      yesOrNo(one.patch.applied),
      yesOrNo(grading?.get(one.id)),
      ...[1, 5, 10].map((k) => percent(curve[k - 1])),
      percent(one.coverage.ratio),
      number(meanScore(one)),
      number(spend.calls),
      number(spend.sequentialCalls),
      number(spend.lookups),
      number(spend.tokens),
      money(spend.money),
      seconds(spend.wallMs),
      seconds(spend.criticalMs),
    ];
  };
  const reasons = metrics.flatMap(({ id, end, patch }) => {
    const said = [end.reason, patch.refusal ?? ""].filter((text) => text !== "").join("; ");
    return said === "" ? [] : [`- \`${id}\`: ${codeSpan(said.slice(0, 400))}`];
  });
  const table = markdownTable([...HEAD, ...COSTS], metrics.map(row));
  return ["## Instances", table, reasons.join("\n")].filter((section) => section !== "");
}

const meanScore = ({ correlation }: InstanceMetrics) =>
  summarise((correlation?.scores ?? []).map(({ score }) => score))?.mean;

function yesOrNo(verdict: boolean | null | undefined): string {
  if (verdict == null) return "–";
  return verdict ? "yes" : "no";
}
