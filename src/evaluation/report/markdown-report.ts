import { codeSpan } from "../../text/compose-markdown.ts";
import type { InstanceMetrics } from "../measures/metrics.ts";
import { recallCurve } from "../measures/totals.ts";
import { PLOTS } from "./plots.ts";
import { formatFigure, markdownTable, notMeasured, type ReportFacts, totalSections } from "./tables.ts";

/** `report.md`: the totals first, then each instance, then what was not measured. `plots`: the files that lie beside it. */
export function markdownReport(facts: ReportFacts, plots: readonly string[]): string {
  const { configuration, totals } = facts;
  const image = (name: keyof typeof PLOTS) => (plots.includes(name) ? [`![${PLOTS[name]}](${name})`] : []);
  const settings = Object.entries(configuration)
    .filter(([name, value]) => name !== "magis" && value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`);
  const head = [
    "# MAGIS evaluation",
    [
      `- Made ${facts.made.slice(0, 16).replace("T", " ")} UTC, begun ${facts.began.slice(0, 16).replace("T", " ")} UTC, MAGIS ${facts.version}, ${facts.runtime}`,
      `- Models that answered: ${totals.models.map((model) => `\`${model}\``).join(", ") || "none"}`,
      `- Command: \`${facts.commandLine.replaceAll("`", "'")}\``,
      `- Settings: ${settings.join(" · ").replaceAll("\n", " ")}`,
      `- Spent on everything, attempts without a result and the judge included: ${formatFigure.money(facts.spent)}`,
    ].join("\n"),
  ];
  const sections = [
    ...totalSections(facts, image),
    ...instanceSections(facts, image),
    "## What was not measured",
    notMeasured(facts)
      .map((sentence) => `- ${sentence}`)
      .join("\n"),
    ...unfinishedSection(facts),
    "The definitions of all figures are in `docs/evaluation.md`; `results.json` beside this file has every number.",
  ];
  return `${[...head, ...sections].join("\n\n")}\n`;
}

function unfinishedSection({ unfinished }: ReportFacts): string[] {
  if (unfinished.size === 0) return [];
  const lines = [...unfinished].map(([id, reason]) => `- \`${id}\`: ${codeSpan(reason)}`);
  return ["## Instances that are not finished", lines.join("\n")];
}

const { percent, money, seconds, number } = formatFigure;

const HEAD = ["instance", "end", "applied", "resolved", "recall@1", "@5", "@10", "line coverage", "correlation"];

const COSTS = ["calls", "in a row", "lookups", "tokens", "money", "wall", "critical path"];

/** The sections on each instance. `image` gives the line of a plot that is there. */
function instanceSections(
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
