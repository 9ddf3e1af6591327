import { codeSpan } from "../../text/code-span.ts";
import { formatFigure } from "./format-figure.ts";
import { instanceSections } from "./instance-sections.ts";
import { notMeasured } from "./not-measured.ts";
import { PLOTS } from "./plots-of.ts";
import type { ReportFacts } from "./report-facts.ts";
import { totalSections } from "./total-sections.ts";

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
