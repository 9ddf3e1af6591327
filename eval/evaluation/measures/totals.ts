import type { Grading } from "./grading.ts";
import { type InstanceMetrics, sumByName } from "./metrics.ts";
import { COMPLEXITY_FIGURES } from "./patch-measures.ts";
import { logisticRegression, type Regression } from "./statistics.ts";

/** How many files the recall curve goes to. */
export const RECALL_DEPTH = 20;

/** `ratio` is null where there is nothing to share. */
interface Share {
  count: number;
  of: number;
  ratio: number | null;
}

/** The figures of all instances together. */
export type Totals = ReturnType<typeof totalsOf>;

const SPEND_FIGURES = [
  "calls",
  "sequentialCalls",
  "lookups",
  "failedCalls",
  "tokens",
  "input",
  "cacheWrite",
  "cacheRead",
  "output",
  "money",
  "wallMs",
  "criticalMs",
] as const;

/**
 * The totals as `results.json` has them; null stands for what was not measured. `docs/evaluation.md` has the definitions.
 * `unchecked` is the grading of the changes as they were before checks sent anything back.
 */
export function totalsOf(
  metrics: readonly InstanceMetrics[],
  grading: Grading | undefined,
  unchecked?: Grading | undefined,
) {
  const gradedBy = (one: Grading | undefined) => {
    const verdicts = metrics.flatMap(({ id }) => one?.get(id) ?? []);
    if (verdicts.length === 0) return null;
    return { ...shareOf(metrics.map(({ id }) => one?.get(id) === true)), ofGraded: shareOf(verdicts) };
  };
  const complexityOf = (side: "reference" | "generated") =>
    summariesOf(COMPLEXITY_FIGURES, (figure) => metrics.map(({ complexity }) => complexity[side]?.[figure]));
  const usedBy = (key: "byPrompt" | "byEffort") =>
    sumByName(metrics.flatMap(({ spend }) => Object.entries(spend[key])));
  return {
    instances: metrics.length,
    /** how the runs ended, by kind */
    ends: countsOf(metrics.map(({ end }) => end.kind)),
    applied: shareOf(metrics.flatMap(({ patch }) => patch.applied ?? [])),
    resolved: gradedBy(grading),
    resolvedUnchecked: gradedBy(unchecked),
    checks: checksOf(metrics),
    recall: recallOf(metrics),
    coverage: coverageOf(metrics, grading),
    correlation: correlationOf(metrics),
    complexity: { reference: complexityOf("reference"), generated: complexityOf("generated") },
    resolving: grading ? resolvingOf(metrics, grading) : null,
    spend: summariesOf(SPEND_FIGURES, (figure) => metrics.map(({ spend }) => spend[figure])),
    byPrompt: usedBy("byPrompt"),
    byEffort: usedBy("byEffort"),
    models: [...new Set(metrics.flatMap(({ spend }) => spend.models))].sort(),
  };
}

function summariesOf<F extends string>(figures: readonly F[], numbers: (figure: F) => (number | undefined)[]) {
  const entries = figures.map((figure) => [figure, summarise(numbers(figure)) ?? null]);
  return Object.fromEntries(entries) as Readonly<Record<F, Summary | null>>;
}

function countsOf(words: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

function shareOf(verdicts: readonly boolean[]): Share {
  const count = verdicts.filter(Boolean).length;
  return { count, of: verdicts.length, ratio: verdicts.length === 0 ? null : count / verdicts.length };
}

/** How the checks ended, by word, and how many changes they sent back. */
function checksOf(metrics: readonly InstanceMetrics[]) {
  const checks = metrics.flatMap(({ check }) => check ?? []);
  if (checks.length === 0) return null;
  const sentBack = checks.filter(({ rounds }) => rounds > 0).length;
  return { ends: countsOf(checks.map(({ end }) => end)), sentBack };
}

/** Mean recall at 1, 2, 3, … files, and the length of the Custodian's list. */
function recallOf(metrics: readonly InstanceMetrics[]) {
  const measured = metrics.flatMap(({ recall }) => (recall && recall.gold.length > 0 ? [recall] : []));
  if (measured.length === 0) return null;
  const meanOf = (list: "custodian" | "bm25" | "lunr" | "ranking") => {
    const curves = measured.map((recall) => recallCurve(recall[list], recall.gold, RECALL_DEPTH));
    return Array.from({ length: RECALL_DEPTH }, (_, k) => summarise(curves.map((curve) => curve[k]))?.mean ?? 0);
  };
  return {
    instances: measured.length,
    custodian: meanOf("custodian"),
    bm25: meanOf("bm25"),
    lunr: meanOf("lunr"),
    ranking: meanOf("ranking"),
    located: summarise(measured.map(({ custodian }) => custodian.length)) ?? null,
  };
}

/** Intervals of line coverage: below 10 %, below 20 %, …, 90 to 100 %. */
export const COVERAGE_INTERVALS = 10;

/**
 * `mean` is over the instances, `pooled` over all their lines together. `intervals`: the instances in each interval of
 * coverage (Figure 6), and how many of them are graded and resolved.
 */
function coverageOf(metrics: readonly InstanceMetrics[], grading: Grading | undefined) {
  const ratios = metrics.flatMap(({ coverage }) => coverage.ratio ?? []);
  const sum = (figure: "covered" | "lines") => metrics.reduce((total, { coverage }) => total + coverage[figure], 0);
  const pooled = ratios.length === 0 ? null : sum("covered") / sum("lines");
  const intervalOf = (ratio: number | null) =>
    ratio === null ? -1 : Math.min(COVERAGE_INTERVALS - 1, Math.floor(ratio * COVERAGE_INTERVALS));
  const intervals = Array.from({ length: COVERAGE_INTERVALS }, (_, interval) => {
    const within = metrics.filter(({ coverage }) => intervalOf(coverage.ratio) === interval).map(({ id }) => id);
    return {
      instances: within.length,
      graded: within.filter((id) => grading?.has(id)).length,
      resolved: within.filter((id) => grading?.get(id)).length,
    };
  });
  return { instances: ratios.length, mean: summarise(ratios)?.mean ?? null, pooled, intervals };
}

/** The figures of the paper's Tables 1 and 3. */
export const REGRESSION_FIGURES = ["files", "functions", "hunks", "added", "deleted", "changed"] as const;

/**
 * What being resolved has to do with the change. `regression`: on each figure of complexity alone (Tables 1 and 3), null
 * where there is no estimate. `split`: the complexity of changes that resolve and of those that only apply (Table 5).
 * `lines`: added and deleted lines of each resolved instance, and of its reference (Figure 13).
 */
function resolvingOf(metrics: readonly InstanceMetrics[], grading: Grading) {
  const graded = metrics.filter(({ id }) => grading.has(id));
  const regressionOn = (side: Side) =>
    Object.fromEntries(
      REGRESSION_FIGURES.map((name) => [
        name,
        logisticRegression(
          graded.flatMap(({ id, complexity }) => {
            const figure = complexity[side]?.[name];
            return figure === undefined ? [] : [{ figure, outcome: grading.get(id) === true }];
          }),
        ) ?? null,
      ]),
    ) as Readonly<Record<(typeof REGRESSION_FIGURES)[number], Regression | null>>;
  const splitOf = (those: readonly InstanceMetrics[]) => {
    const side = (one: Side) => summariesOf(COMPLEXITY_FIGURES, (name) => those.map((m) => m.complexity[one]?.[name]));
    return { instances: those.length, reference: side("reference"), generated: side("generated") };
  };
  const resolved = graded.filter(({ id }) => grading.get(id));
  const onlyApplied = graded.filter(({ id, patch }) => !grading.get(id) && patch.applied && !patch.empty);
  const linesOf = (one: Side) =>
    resolved.flatMap(({ complexity }) => {
      const known = complexity[one];
      return known ? [{ added: known.added ?? 0, deleted: known.deleted ?? 0 }] : [];
    });
  return {
    graded: graded.length,
    regression: { reference: regressionOn("reference"), generated: regressionOn("generated") },
    split: { resolved: splitOf(resolved), onlyApplied: splitOf(onlyApplied) },
    lines: { reference: linesOf("reference"), generated: linesOf("generated") },
  };
}

type Side = "reference" | "generated";

/** `scores`: how many descriptions of tasks got 1, 2, 3, 4, 5 (Figure 5); `unscored`: how many got none. */
function correlationOf(metrics: readonly InstanceMetrics[]) {
  const judged = metrics.flatMap(({ correlation }) => correlation ?? []);
  const given = judged.flatMap(({ scores }) => scores.map(({ score }) => score));
  const mean = summarise(given)?.mean;
  if (mean === undefined) return null;
  const scores = [1, 2, 3, 4, 5].map((wanted) => given.filter((score) => score === wanted).length);
  const unscored = judged.reduce((sum, { tasks }) => sum + tasks, 0) - given.length;
  return { mean, scores, unscored, money: judged.reduce((sum, { money }) => sum + money, 0) };
}

/** A figure over several instances; undefined ones are left out. */
interface Summary {
  /** how many instances have it */
  count: number;
  min: number;
  max: number;
  mean: number;
  median: number;
  total: number;
}

/** Count, min, max, mean, median and total of the numbers that are there; undefined when none is. */
export function summarise(numbers: readonly (number | undefined)[]): Summary | undefined {
  const sorted = numbers.filter((number) => number !== undefined).sort((a, b) => a - b);
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) return undefined;
  const total = sorted.reduce((sum, number) => sum + number, 0);
  const [low, high] = [sorted[(sorted.length - 1) >> 1] ?? 0, sorted[sorted.length >> 1] ?? 0];
  return { count: sorted.length, min, max, mean: total / sorted.length, median: (low + high) / 2, total };
}

/**
 * Recall over the number of files (the paper's section 4.3, Figure 4): at place k - 1 the share of `gold` that is among the first k
 * of `located`, for k from 1 to `most`. A list that is shorter than k keeps its last value. Empty when there is no gold.
 */
export function recallCurve(located: readonly string[], gold: readonly string[], most: number): readonly number[] {
  if (gold.length === 0) return [];
  const wanted = new Set(gold);
  const distinct = [...new Set(located)];
  let found = 0;
  return Array.from({ length: most }, (_, index) => {
    const path = distinct[index];
    if (path !== undefined && wanted.has(path)) found += 1;
    return found / wanted.size;
  });
}
