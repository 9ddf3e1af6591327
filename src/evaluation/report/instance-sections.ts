import { codeSpan } from "../../text/code-span.ts";
import type { InstanceMetrics } from "../measures/instance-metrics.ts";
import { recallCurve } from "../measures/recall-curve.ts";
import { formatFigure } from "./format-figure.ts";
import { markdownTable } from "./markdown-table.ts";
import type { ReportFacts } from "./report-facts.ts";

const { percent, money, seconds, number } = formatFigure;
const HEAD = ["instance", "end", "applied", "resolved", "recall@1", "@5", "@10", "line coverage", "correlation"];
const COSTS = ["calls", "in a row", "lookups", "tokens", "money", "wall", "critical path"];

/** The sections on each instance. `image` gives the line of a plot that is there. */
export function instanceSections(
  { metrics, grading }: Pick<ReportFacts, "metrics" | "grading">,
  image: (name: "cost.svg" | "tokens.svg" | "calls.svg") => string[],
): string[] {
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
      number(one.correlation?.score),
      ...[number(spend.calls), number(spend.sequentialCalls), number(spend.lookups), number(spend.tokens)],
      ...[money(spend.money), seconds(spend.wallMs), seconds(spend.criticalMs)],
    ];
  };
  const reasons = metrics.flatMap(({ id, end, patch }) => {
    const said = [end.reason, patch.refusal ?? ""].filter((text) => text !== "").join("; ");
    return said === "" ? [] : [`- \`${id}\`: ${codeSpan(said.slice(0, 400))}`];
  });
  return [
    "## Instances",
    markdownTable([...HEAD, ...COSTS], metrics.map(row)),
    ...(reasons.length > 0 ? [reasons.join("\n")] : []),
    ...image("cost.svg"),
    ...image("tokens.svg"),
    ...image("calls.svg"),
  ];
}

function yesOrNo(verdict: boolean | null | undefined): string {
  return verdict == null ? "–" : verdict ? "yes" : "no";
}
