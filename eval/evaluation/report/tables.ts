import type { Grading } from "../measures/grading.ts";
import type { InstanceMetrics } from "../measures/metrics.ts";
import { COMPLEXITY_FIGURES, type Complexity } from "../measures/patch-measures.ts";
import type { Totals } from "../measures/totals.ts";
import type { Configuration } from "../results/result-folder.ts";
import { RECALL_PLOT, RECALL_TITLE } from "./recall-plot.ts";

type Figure = number | null | undefined;

/** Shows a figure; one that is not there is a dash. */
const figure = (show: (value: number) => string) => (value: Figure) => (value == null ? "–" : show(value));

/** Figures as the report shows them. */
export const formatFigure = {
  percent: figure((share) => `${(share * 100).toFixed(1)} %`),
  money: figure((dollars) => `$${dollars.toFixed(dollars < 1 ? 4 : 2)}`),
  seconds: figure((ms) => `${(ms / 1000).toFixed(1)} s`),
  number: figure((value) => {
    if (Number.isInteger(value)) return value.toLocaleString("en-US");
    return value.toFixed(value < 10 ? 2 : 1);
  }),
} as const;

const { percent, money, seconds, number } = formatFigure;

const DEPTHS = [1, 2, 3, 5, 10, 20] as const;

export const COMPLEXITY_NAMES: Readonly<Record<keyof Complexity, string>> = {
  files: "files",
  functions: "functions",
  hunks: "hunks",
  added: "added lines",
  deleted: "deleted lines",
  changed: "changed lines",
  first: "first changed line",
  last: "last changed line",
};

const SPEND_ROWS = [
  ["calls", "calls", number],
  ["sequentialCalls", "calls one after another", number],
  ["lookups", "lookups", number],
  ["failedCalls", "failed calls", number],
  ["tokens", "tokens", number],
  ["input", "input, not cached", number],
  ["cacheWrite", "cache writes", number],
  ["cacheRead", "cache reads", number],
  ["output", "output", number],
  ["money", "money", money],
  ["wallMs", "wall time", seconds],
  ["criticalMs", "critical path", seconds],
] as const;

/** The sections on all instances together. */
export function totalSections(facts: ReportFacts): string[] {
  const { totals } = facts;
  return [
    "## Totals",
    conditions(facts),
    `How the runs ended: ${countsText(totals.ends)}.`,
    ...checkSection(totals),
    ...recallSection(totals),
    ...correlationSection(totals),
    "## Complexity of the changes",
    complexityTable(totals),
    "## Calls, tokens, money and time",
    spendTable(totals),
    "### By prompt",
    sumTable("prompt", totals.byPrompt, totals),
    ...(Object.keys(totals.byEffort).length > 0 ? ["### By effort", sumTable("effort", totals.byEffort, totals)] : []),
  ];
}

const countsText = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([kind, count]) => `${count} × ${kind}`)
    .join(", ");

/** This evaluation and those it is compared with, one a line: the form of the paper's tables of ablations. */
function conditions({ making, totals, compared }: ReportFacts): string {
  const row = (name: string, one: Totals) => [
    name,
    number(one.instances),
    percent(one.applied.ratio),
    percent(one.resolved?.ratio),
    percent(one.resolved?.ofGraded.ratio),
    percent(one.recall?.custodian[9]),
    percent(one.coverage.mean),
    number(one.correlation?.mean),
    money(one.spend.money?.mean),
    number(one.spend.tokens?.mean),
    number(one.spend.sequentialCalls?.mean),
    seconds(one.spend.wallMs?.mean),
  ];
  const head = [
    "condition",
    "instances",
    "applied",
    "resolved",
    "of those graded",
    "recall@10",
    "line coverage",
    "correlation",
  ];
  const means = ["money", "tokens", "calls in a row", "wall time"];
  return markdownTable(
    [...head, ...means],
    [row(nameOf(making.configuration), totals), ...compared.map((one) => row(one.name, one.totals))],
  );
}

function checkSection({ checks, resolved, resolvedUnchecked }: Totals): string[] {
  if (!checks) return [];
  const graded = resolvedUnchecked
    ? ` Resolved with the check: ${percent(resolved?.ratio)}; without it, by the changes as they were before: ${percent(resolvedUnchecked.ratio)}.`
    : "";
  return [`The check's end: ${countsText(checks.ends)}. ${checks.sentBack} went back for it.${graded}`];
}

function recallSection({ recall, coverage }: Totals): string[] {
  const covered = `Line-locating coverage (Eq. 1): ${percent(coverage.mean)} on average over ${coverage.instances} instances, ${percent(coverage.pooled)} of all their lines together.`;
  if (!recall) return ["## Locating", covered];
  const row = (name: string, curve: readonly number[]) => [name, ...DEPTHS.map((k) => percent(curve[k - 1]))];
  const length = recall.located ? ` The Custodian's list has ${number(recall.located.mean)} files on average.` : "";
  return [
    "## Locating (4.3, Figure 4)",
    `![${RECALL_TITLE}](${RECALL_PLOT})`,
    markdownTable(
      [`recall of ${recall.instances} instances`, ...DEPTHS.map((k) => `@${k}`)],
      [
        row("Repository Custodian", recall.custodian),
        row("BM25 on code tokens, whole files (the paper's baseline)", recall.bm25),
        row("lunr as it comes, whole files", recall.lunr),
        row("own ranking, no model", recall.ranking),
      ],
    ),
    `${covered}${length}`,
  ];
}

function correlationSection({ correlation }: Totals): string[] {
  if (!correlation) return [];
  const { scores, mean, money: cost } = correlation;
  return [
    "## Task correlation (4.3, Figure 5)",
    markdownTable(
      ["score", "1", "2", "3", "4", "5", "mean"],
      [["task descriptions", ...scores.map((count) => String(count)), number(mean)]],
    ),
    `The judge cost ${money(cost)}.`,
  ];
}

function complexityTable({ complexity: { reference, generated } }: Totals): string {
  const head = [
    "",
    ...["reference", "generated"].flatMap((side) => ["min", "max", "mean"].map((one) => `${side} ${one}`)),
  ];
  const rows = COMPLEXITY_FIGURES.map((figure) => [
    COMPLEXITY_NAMES[figure],
    ...[reference[figure], generated[figure]].flatMap((one) => [number(one?.min), number(one?.max), number(one?.mean)]),
  ]);
  return markdownTable(head, rows);
}

function spendTable({ spend }: Totals): string {
  const rows = SPEND_ROWS.map(([name, words, show]) => {
    const one = spend[name];
    return [words, show(one?.min), show(one?.median), show(one?.mean), show(one?.max), show(one?.total)];
  });
  return markdownTable(["for each instance", "min", "median", "mean", "max", "total"], rows);
}

function sumTable(head: string, sums: Totals["byPrompt"], { spend }: Totals): string {
  const rows = Object.entries(sums)
    .sort(([, a], [, b]) => b.money - a.money)
    .map(([id, one]) => [
      id,
      number(one.calls),
      number(one.tokens),
      percent(one.tokens / (spend.tokens?.total || 1)),
      money(one.money),
      percent(one.money / (spend.money?.total || 1)),
      seconds(one.elapsedMs),
    ]);
  return markdownTable([head, "calls", "tokens", "of tokens", "money", "of money", "time"], rows);
}

/** A table in Markdown; the first column is text, the others are figures. Cells must not span lines. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}

const FILES: ReadonlyMap<unknown, string> = new Map([
  ["gold", "files given"],
  ["bm25", "files by BM25"],
]);

/** The condition of an evaluation as the paper's tables name it: `full`, `without qa and hints`, `full, files given`. */
export function nameOf({ system, ablate, files, locate, memory, profile }: Configuration): string {
  const parts = Array.isArray(ablate) && ablate.length > 0 ? `without ${ablate.join(" and ")}` : "full";
  const said = [system === "direct" ? `direct, ${parts}` : parts];
  if (FILES.has(files)) said.push(FILES.get(files) ?? "");
  if (profile === "paper" && system !== "direct") said.push("profile paper");
  if (locate === "paper") said.push("BM25 alone");
  if (memory === true) said.push("memory kept");
  return said.join(", ");
}

/** Other results, to stand beside these. */
export interface ComparedResults {
  name: string;
  totals: Totals;
}

/** When and how the results were made. */
interface Making {
  /** ISO 8601: when the evaluation began, and when the report was made */
  began: string;
  made: string;
  version: string;
  /** what it ran on, e.g. `Node 24.21.0` */
  runtime: string;
  command: string;
  configuration: Configuration;
}

/** All that a report is made of. */
export interface ReportFacts {
  making: Making;
  /** US dollars of everything, attempts without a result and the judge included */
  spent: number;
  totals: Totals;
  metrics: readonly InstanceMetrics[];
  grading: Grading | undefined;
  /** how many instances fit the filter, also beyond `--limit`; undefined when no file of instances was named */
  fitting: number | undefined;
  /** ids of instances that were asked for and are not finished, with the reason */
  unfinished: ReadonlyMap<string, string>;
  compared: readonly ComparedResults[];
}

/** What the report cannot say, a sentence each. */
export function notMeasured({ making, metrics, totals, grading, unfinished }: ReportFacts): string[] {
  const ungraded = metrics.filter(({ id }) => grading && !grading.has(id)).length;
  const unjudged = metrics.filter(({ correlation }) => correlation === null).length;
  const uncovered = metrics.filter(({ coverage }) => coverage.ratio === null).length;
  const unchanged = metrics.filter(({ patch }) => patch.applied === null).length;
  const created = metrics.filter(({ recall }) => recall?.gold.length === 0).length;
  const said: string[] = [];
  const leftOut = (count: number, sentence: (instances: string) => string) => {
    if (count > 0) said.push(sentence(count === 1 ? "1 instance" : `${count} instances`));
  };
  if (totals.resolved === null) said.push("Resolved ratio: nothing was graded (`--grade` or `--results`).");
  else
    leftOut(
      ungraded,
      (instances) => `Resolved ratio: the grader says nothing of ${instances}, which count as not resolved.`,
    );
  if (totals.recall === null)
    said.push("Recall: the candidates were given, or no reference change has existing files.");
  else leftOut(created, (instances) => `Recall: ${instances} left out, whose reference changes no existing file.`);
  if (totals.correlation === null) said.push("Task correlation: no judge was asked (`--judge`).");
  else leftOut(unjudged, (instances) => `Task correlation: ${instances} left out, without tasks or score.`);
  if (totals.correlation && totals.correlation.unscored > 0)
    said.push(
      `Task correlation: the judge gave no score to ${totals.correlation.unscored} of the tasks' descriptions.`,
    );
  leftOut(
    uncovered,
    (instances) => `Line-locating coverage: ${instances} left out, whose reference changes no existing line.`,
  );
  leftOut(
    unchanged,
    (instances) => `Applied ratio: ${instances} left out, where neither change nor reference is there.`,
  );
  leftOut(unfinished.size, (instances) => `${instances} not finished; the same command goes on with them.`);
  return [
    ...said,
    "The pull request's words and the publishing are no part of an evaluation; their cost is not in the figures.",
    making.configuration.memory === true
      ? "The evolution memory is kept over the instances; none sees what is known of a later commit than its own."
      : "The evolution memory begins empty for each instance, so that none learns from another's future.",
  ];
}
