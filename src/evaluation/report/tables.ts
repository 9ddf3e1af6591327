import { readFile } from "node:fs/promises";
import path from "node:path";
import { MagisError } from "../../model/error.ts";
import type { Grading } from "../measures/grading.ts";
import type { InstanceMetrics } from "../measures/metrics.ts";
import { COMPLEXITY_FIGURES, type Complexity } from "../measures/patch-measures.ts";
import { type SpendFigure, type Totals, totalsOf } from "../measures/totals.ts";
import { type Configuration, openResultFolder } from "../results/result-folder.ts";

/** Figures as the report shows them; a figure that is not there is a dash. */
export const formatFigure = {
  percent: (share: number | null | undefined) => (share == null ? "–" : `${(share * 100).toFixed(1)} %`),
  money: (dollars: number | null | undefined) => (dollars == null ? "–" : `$${dollars.toFixed(dollars < 1 ? 4 : 2)}`),
  seconds: (ms: number | null | undefined) => (ms == null ? "–" : `${(ms / 1000).toFixed(1)} s`),
  number: (value: number | null | undefined) =>
    value == null ? "–" : Number.isInteger(value) ? value.toLocaleString("en-US") : value.toFixed(value < 10 ? 2 : 1),
} as const;

const { percent, money, seconds, number } = formatFigure;

const DEPTHS = [1, 2, 3, 5, 10, 20] as const;

const COMPLEXITY_NAMES: Readonly<Record<keyof Complexity, string>> = {
  files: "files",
  functions: "functions",
  hunks: "hunks",
  added: "added lines",
  deleted: "deleted lines",
  changed: "changed lines",
  first: "first changed line",
  last: "last changed line",
};

const SPEND_NAMES: Readonly<Record<SpendFigure, string>> = {
  calls: "calls",
  sequentialCalls: "calls one after another",
  lookups: "lookups",
  failedCalls: "failed calls",
  tokens: "tokens",
  input: "input, not cached",
  cacheWrite: "cache writes",
  cacheRead: "cache reads",
  output: "output",
  money: "money",
  wallMs: "wall time",
  criticalMs: "critical path",
};

/** The sections on all instances together. `image` gives the line of a plot that is there. */
export function totalSections(facts: ReportFacts, image: (name: "recall.svg") => string[]): string[] {
  const { totals } = facts;
  return [
    "## Totals",
    conditions(facts),
    `How the runs ended: ${Object.entries(totals.ends)
      .map(([kind, count]) => `${count} × ${kind}`)
      .join(", ")}.`,
    ...checkSection(totals),
    ...recallSection(totals, image),
    ...correlationSection(totals),
    "## Complexity of the changes (Table 5)",
    complexityTable(totals),
    "## Calls, tokens, money and time",
    spendTable(totals),
    "### By prompt",
    sumTable("prompt", totals.byPrompt, totals),
    ...(Object.keys(totals.byEffort).length > 0 ? ["### By effort", sumTable("effort", totals.byEffort, totals)] : []),
  ];
}

/** This evaluation and those it is compared with, one a line: the form of the paper's tables of ablations. */
function conditions({ configuration, totals, compared }: ReportFacts): string {
  const row = (name: string, one: Totals) => [
    name,
    number(one.instances),
    percent(one.applied.ratio),
    percent(one.resolved?.ratio),
    percent(one.recall?.custodian[9]),
    percent(one.coverage.mean),
    number(one.correlation?.mean),
    money(one.spend.money?.mean),
    number(one.spend.tokens?.mean),
    number(one.spend.sequentialCalls?.mean),
    seconds(one.spend.wallMs?.mean),
  ];
  const head = ["condition", "instances", "applied", "resolved", "recall@10", "line coverage", "correlation"];
  const means = ["money", "tokens", "calls in a row", "wall time"];
  return markdownTable(
    [...head, ...means],
    [
      row(conditionOf(configuration), totals),
      ...compared.map((one) => row(`${conditionOf(one.configuration)} (${one.name})`, one.totals)),
    ],
  );
}

function checkSection({ checks, resolved, resolvedUnchecked }: Totals): string[] {
  if (!checks) return [];
  const ends = Object.entries(checks.ends).map(([end, count]) => `${count} × ${end}`);
  const graded = resolvedUnchecked
    ? ` Resolved with the check: ${percent(resolved?.ratio)}; without it, by the changes as they were before: ${percent(resolvedUnchecked.ratio)}.`
    : "";
  return [`The check's end: ${ends.join(", ")}. ${checks.sentBack} went back for it.${graded}`];
}

function recallSection({ recall, coverage }: Totals, image: (name: "recall.svg") => string[]): string[] {
  const covered = `Line-locating coverage (Eq. 1): ${percent(coverage.mean)} on average over ${coverage.instances} instances, ${percent(coverage.pooled)} of all their lines together.`;
  if (!recall) return ["## Locating", covered];
  const row = (name: string, curve: readonly number[]) => [name, ...DEPTHS.map((k) => percent(curve[k - 1]))];
  const length = recall.located ? ` The Custodian's list has ${number(recall.located.mean)} files on average.` : "";
  return [
    "## Locating",
    ...image("recall.svg"),
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
    "## Task correlation",
    markdownTable(
      ["score", "1", "2", "3", "4", "5", "mean"],
      [["instances", ...scores.map((count) => String(count)), number(mean)]],
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
  const rows = (Object.keys(SPEND_NAMES) as SpendFigure[]).map((figure) => {
    const show = figure === "money" ? money : figure.endsWith("Ms") ? seconds : number;
    const one = spend[figure];
    return [SPEND_NAMES[figure], show(one?.min), show(one?.median), show(one?.mean), show(one?.max), show(one?.total)];
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

/** The condition of an evaluation as the paper's tables name it: `full`, `without qa and hints`, `full, files given`. */
function conditionOf({ ablate, files, profile }: Configuration): string {
  const parts = Array.isArray(ablate) && ablate.length > 0 ? `without ${ablate.join(" and ")}` : "full";
  const given = files === "gold" ? ", files given" : files === "bm25" ? ", files by BM25" : "";
  return `${parts}${given}${profile === "paper" ? ", profile paper" : ""}`;
}

/** Results of another folder, to stand beside these. */
export interface ComparedResults {
  readonly name: string;
  readonly configuration: Configuration;
  readonly totals: Totals;
}

/** All that a report is made of. */
export interface ReportFacts {
  /** ISO 8601: when the evaluation began, and when the report was made */
  readonly began: string;
  readonly made: string;
  readonly version: string;
  /** what it ran on, e.g. `Node 24.21.0` */
  readonly runtime: string;
  readonly commandLine: string;
  readonly configuration: Configuration;
  readonly metrics: readonly InstanceMetrics[];
  readonly totals: Totals;
  readonly grading: Grading | undefined;
  /** ids of instances that were asked for and are not finished, with the reason */
  readonly unfinished: ReadonlyMap<string, string>;
  /** US dollars of everything, attempts without a result and the judge included */
  readonly spent: number;
  readonly compared: readonly ComparedResults[];
}

/** The totals of other folders of results, to stand beside this one's. Throws CONFIGURATION_INVALID for another folder. */
export async function readCompared(folders: readonly string[]): Promise<readonly ComparedResults[]> {
  return Promise.all(
    folders.map(async (folder) => {
      await readFile(path.join(folder, "evaluation.json")).catch((error: unknown) => {
        throw new MagisError("CONFIGURATION_INVALID", `There are no results of magis eval in ${folder}.`, {}, error);
      });
      const results = await openResultFolder(folder, {});
      const metrics = [...(await results.finished()).values()].map((one) => one.metrics);
      const totals = totalsOf(metrics, await results.grading());
      return { name: path.basename(path.resolve(folder)), configuration: results.configuration, totals };
    }),
  );
}

/** What the report cannot say, a sentence each. */
export function notMeasured(facts: Pick<ReportFacts, "metrics" | "totals" | "grading" | "unfinished">): string[] {
  const { metrics, totals, grading, unfinished } = facts;
  const ungraded = metrics.filter(({ id }) => grading && !grading.has(id)).length;
  const unjudged = metrics.filter(({ correlation }) => correlation === null).length;
  const untold = metrics.filter(({ coverage }) => coverage.ratio === null).length;
  const nothing = metrics.filter(({ patch }) => patch.applied === null).length;
  const created = metrics.filter(({ recall }) => recall?.gold.length === 0).length;
  const said: (string | false)[] = [
    totals.resolved === null && "Resolved ratio: nothing was graded (`--grade` or `--results`).",
    totals.resolved !== null && ungraded > 0 && `Resolved ratio: the grader says nothing of ${times(ungraded)}.`,
    totals.recall === null && "Recall: the candidates were given, or no reference change has existing files.",
    totals.recall !== null &&
      created > 0 &&
      `Recall: ${times(created)} left out, whose reference changes no existing file.`,
    totals.correlation === null && "Task correlation: no judge was asked (`--judge`).",
    totals.correlation !== null &&
      unjudged > 0 &&
      `Task correlation: ${times(unjudged)} left out, without tasks or score.`,
    untold > 0 && `Line-locating coverage: ${times(untold)} left out, whose reference changes no existing line.`,
    nothing > 0 && `Applied ratio: ${times(nothing)} left out, where neither change nor reference is there.`,
    unfinished.size > 0 && `${times(unfinished.size)} not finished; the same command goes on with them.`,
    "The pull request's words and the publishing are no part of an evaluation; their cost is not in the figures.",
    "The evolution memory begins empty for each instance, so that none learns from another's future.",
  ];
  return said.filter((sentence) => sentence !== false);
}

const times = (count: number) => (count === 1 ? "1 instance" : `${count} instances`);
