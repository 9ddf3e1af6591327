import { COMPLEXITY_FIGURES } from "../measures/patch-measures.ts";
import type { Regression } from "../measures/statistics.ts";
import { COVERAGE_INTERVALS, REGRESSION_FIGURES, type Totals } from "../measures/totals.ts";
import { barPlot } from "./bar-plot.ts";
import { COMPLEXITY_NAMES, formatFigure, markdownTable, nameOf, type ReportFacts } from "./tables.ts";

const { percent, number } = formatFigure;

/** What a change has to do with its being resolved: Tables 1, 3 and 5, Figures 6 and 13. */
export function paperSections(facts: ReportFacts): string[] {
  return [...coverageSection(facts), ...regressionSection(facts.totals), ...splitSection(facts.totals)];
}

const COVERAGE = { file: "coverage.svg", title: "Line-locating coverage: share of instances by interval" } as const;

const LINES = { file: "lines.svg", title: "Changed lines of resolved instances" } as const;

/** The plots beside the report, by file. */
export function paperPlots(facts: ReportFacts): ReadonlyMap<string, string> {
  const plots = new Map<string, string>();
  const all = everyone(facts).filter(({ totals }) => totals.coverage.instances > 0);
  if (all.length > 0) {
    const shares = ({ coverage }: Totals) => coverage.intervals.map(({ instances }) => instances / coverage.instances);
    const series = all.map(({ name, totals }) => ({ name, shares: shares(totals) }));
    plots.set(COVERAGE.file, barPlot({ title: COVERAGE.title, groups: INTERVALS, series }));
  }
  const lines = facts.totals.resolving?.lines;
  if (lines && lines.generated.length > 0) {
    const series = (["added", "deleted"] as const).flatMap((kind) =>
      (["generated", "reference"] as const).map((side) => ({
        name: `${kind}, ${side}`,
        shares: sharesOf(lines[side].map((one) => one[kind])),
      })),
    );
    plots.set(LINES.file, barPlot({ title: LINES.title, groups: BINS.map(({ name }) => name), series }));
  }
  return plots;
}

function everyone(facts: ReportFacts) {
  return [{ name: nameOf(facts.making.configuration), totals: facts.totals }, ...facts.compared];
}

const INTERVALS = Array.from({ length: COVERAGE_INTERVALS }, (_, at) => `${at * 10}–${at * 10 + 10} %`);

/** Numbers of lines that are shown together. */
const BINS = [
  { name: "0", most: 0 },
  { name: "1–2", most: 2 },
  { name: "3–5", most: 5 },
  { name: "6–10", most: 10 },
  { name: "11–20", most: 20 },
  { name: "21–50", most: 50 },
  { name: "51–", most: Number.POSITIVE_INFINITY },
] as const;

function sharesOf(counts: readonly number[]): readonly number[] {
  const binOf = (count: number) => BINS.findIndex(({ most }) => count <= most);
  return BINS.map((_, bin) => counts.filter((count) => binOf(count) === bin).length / Math.max(1, counts.length));
}

function coverageSection(facts: ReportFacts): string[] {
  if (facts.totals.coverage.instances === 0) return [];
  const rows = everyone(facts).map(({ name, totals }) => [
    name,
    ...totals.coverage.intervals.map(({ instances, graded, resolved }) =>
      graded > 0 ? `${number(instances)} (${percent(resolved / graded)})` : number(instances),
    ),
  ]);
  return [
    "## Line-locating coverage (4.4, Figure 6)",
    `![${COVERAGE.title}](${COVERAGE.file})`,
    markdownTable(["instances (resolved of those graded) by coverage", ...INTERVALS], rows),
  ];
}

function regressionSection({ resolving }: Totals): string[] {
  if (!resolving) return [];
  const cells = (one: Regression | null) =>
    one
      ? [signed(one.coefficient) + (one.p < 0.05 ? "*" : ""), one.error.toFixed(3), one.p.toFixed(3)]
      : ["–", "–", "–"];
  const rows = REGRESSION_FIGURES.map((figure) => [
    COMPLEXITY_NAMES[figure],
    ...cells(resolving.regression.reference[figure]),
    ...cells(resolving.regression.generated[figure]),
  ]);
  const head = ["reference", "generated"].flatMap((side) => [`${side}: coefficient`, "standard error", "p"]);
  return [
    "## Complexity and being resolved (Tables 1 and 3)",
    markdownTable([`logistic regression over ${resolving.graded} graded instances`, ...head], rows),
    "Each figure by itself. \\* p < 0.05. A dash: all outcomes or all figures are alike, or the figure tells the outcomes apart without exception, so that there is no estimate.",
  ];
}

const signed = (value: number) => value.toFixed(3).replace("-", "−");

function splitSection({ resolving }: Totals): string[] {
  if (!resolving) return [];
  const { resolved, onlyApplied } = resolving.split;
  const row = (figure: (typeof COMPLEXITY_FIGURES)[number]) =>
    [resolved, onlyApplied].flatMap(({ generated, reference }) => {
      const own = generated[figure];
      return [number(own?.min), number(own?.max), number(own?.mean), number(reference[figure]?.mean)];
    });
  const head = [`resolved (${resolved.instances})`, `applied, not resolved (${onlyApplied.instances})`];
  const columns = head.flatMap((name) => [`${name}: min`, "max", "mean", "reference mean"]);
  const table = markdownTable(
    ["generated changes", ...columns],
    COMPLEXITY_FIGURES.map((figure) => [COMPLEXITY_NAMES[figure], ...row(figure)]),
  );
  const plot = resolving.lines.generated.length > 0 ? [`![${LINES.title} (Figure 13)](${LINES.file})`] : [];
  return ["## Changes that resolve, and changes that only apply (Table 5, Figure 13)", table, ...plot];
}
