import type { Grading } from "./grading.ts";
import type { InstanceMetrics } from "./metrics.ts";
import { COMPLEXITY_FIGURES, type Complexity } from "./patch-measures.ts";

/** How many files the recall curve goes to. */
export const RECALL_DEPTH = 20;

export interface Share {
  readonly count: number;
  readonly of: number;
  /** null when there is nothing to share */
  readonly ratio: number | null;
}

export interface Totals {
  readonly instances: number;
  /** how the runs ended, by kind */
  readonly ends: Readonly<Record<string, number>>;
  readonly applied: Share;
  /** null: nothing was graded */
  readonly resolved: Share | null;
  /** the same without what the checks have changed; null: nothing was checked and graded */
  readonly resolvedUnchecked: Share | null;
  /** how the checks ended, by word, and how many changes they sent back; null: nothing was checked */
  readonly checks: { readonly ends: Readonly<Record<string, number>>; readonly sentBack: number } | null;
  /** mean recall at 1, 2, 3, … files; null when no instance has files to locate */
  readonly recall: {
    readonly instances: number;
    readonly custodian: readonly number[];
    readonly bm25: readonly number[];
    readonly lunr: readonly number[];
    readonly ranking: readonly number[];
    /** length of the Custodian's list */
    readonly located: Summary | null;
  } | null;
  /** `mean` over the instances, `pooled` over all their lines together */
  readonly coverage: { readonly instances: number; readonly mean: number | null; readonly pooled: number | null };
  /** `scores`: how many instances got 1, 2, 3, 4, 5; null: nothing was judged */
  readonly correlation: { readonly mean: number; readonly scores: readonly number[]; readonly money: number } | null;
  readonly complexity: Readonly<Record<"reference" | "generated", Readonly<Record<keyof Complexity, Summary | null>>>>;
  readonly spend: Readonly<Record<SpendFigure, Summary | null>>;
  readonly byPrompt: InstanceMetrics["spend"]["byPrompt"];
  readonly byEffort: InstanceMetrics["spend"]["byEffort"];
  readonly models: readonly string[];
}

export const SPEND_FIGURES = [
  ...(["calls", "sequentialCalls", "lookups", "failedCalls", "tokens", "input", "cacheWrite", "cacheRead"] as const),
  ...(["output", "money", "wallMs", "criticalMs"] as const),
] as const;

export type SpendFigure = (typeof SPEND_FIGURES)[number];

/** The figures of all instances together; `docs/evaluation.md` has their definitions. */
export function totalsOf(
  metrics: readonly InstanceMetrics[],
  grading: Grading | undefined,
  unchecked?: Grading | undefined,
): Totals {
  const ends: Record<string, number> = {};
  for (const { end } of metrics) ends[end.kind] = (ends[end.kind] ?? 0) + 1;
  const applied = metrics.flatMap(({ patch }) => patch.applied ?? []);
  const graded = metrics.flatMap(({ id }) => grading?.get(id) ?? []);
  const byFigure = <F extends string>(figures: readonly F[], numbers: (figure: F) => (number | undefined)[]) =>
    Object.fromEntries(figures.map((figure) => [figure, summarise(numbers(figure)) ?? null])) as Record<
      F,
      Summary | null
    >;
  const complexityOf = (side: "reference" | "generated") =>
    byFigure(COMPLEXITY_FIGURES, (figure) => metrics.map(({ complexity }) => complexity[side]?.[figure]));
  return {
    instances: metrics.length,
    ends,
    applied: shareOf(applied),
    resolved: grading && graded.length > 0 ? shareOf(graded) : null,
    resolvedUnchecked: sharedOf(metrics.flatMap(({ id }) => unchecked?.get(id) ?? [])),
    checks: checksOf(metrics),
    recall: recallOf(metrics),
    coverage: coverageOf(metrics),
    correlation: correlationOf(metrics),
    complexity: { reference: complexityOf("reference"), generated: complexityOf("generated") },
    spend: byFigure(SPEND_FIGURES, (figure) => metrics.map(({ spend }) => spend[figure])),
    byPrompt: sumsOf(metrics, "byPrompt"),
    byEffort: sumsOf(metrics, "byEffort"),
    models: [...new Set(metrics.flatMap(({ spend }) => spend.models))].sort(),
  };
}

function shareOf(verdicts: readonly boolean[]): Share {
  const count = verdicts.filter(Boolean).length;
  return { count, of: verdicts.length, ratio: verdicts.length === 0 ? null : count / verdicts.length };
}

const sharedOf = (verdicts: readonly boolean[]) => (verdicts.length > 0 ? shareOf(verdicts) : null);

function checksOf(metrics: readonly InstanceMetrics[]): Totals["checks"] {
  const checks = metrics.flatMap(({ check }) => check ?? []);
  const ends: Record<string, number> = {};
  for (const { end } of checks) ends[end] = (ends[end] ?? 0) + 1;
  return checks.length === 0 ? null : { ends, sentBack: checks.filter(({ rounds }) => rounds > 0).length };
}

function recallOf(metrics: readonly InstanceMetrics[]): Totals["recall"] {
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

function coverageOf(metrics: readonly InstanceMetrics[]): Totals["coverage"] {
  const ratios = metrics.flatMap(({ coverage }) => coverage.ratio ?? []);
  const sum = (figure: "covered" | "lines") => metrics.reduce((total, { coverage }) => total + coverage[figure], 0);
  const pooled = ratios.length === 0 ? null : sum("covered") / sum("lines");
  return { instances: ratios.length, mean: summarise(ratios)?.mean ?? null, pooled };
}

function correlationOf(metrics: readonly InstanceMetrics[]): Totals["correlation"] {
  const judged = metrics.flatMap(({ correlation }) => correlation ?? []);
  const mean = summarise(judged.map(({ score }) => score))?.mean;
  if (mean === undefined) return null;
  const scores = [1, 2, 3, 4, 5].map((wanted) => judged.filter(({ score }) => score === wanted).length);
  return { mean, scores, money: judged.reduce((sum, { money }) => sum + money, 0) };
}

function sumsOf(metrics: readonly InstanceMetrics[], key: "byPrompt" | "byEffort"): Totals["byPrompt"] {
  const sums: Record<string, { calls: number; tokens: number; money: number; elapsedMs: number }> = {};
  for (const [id, one] of metrics.flatMap(({ spend }) => Object.entries(spend[key]))) {
    const sum = sums[id] ?? { calls: 0, tokens: 0, money: 0, elapsedMs: 0 };
    sums[id] = {
      calls: sum.calls + one.calls,
      tokens: sum.tokens + one.tokens,
      money: sum.money + one.money,
      elapsedMs: sum.elapsedMs + one.elapsedMs,
    };
  }
  return sums;
}

/** A figure over several instances; undefined ones are left out. */
export interface Summary {
  /** how many instances have it */
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly median: number;
  readonly total: number;
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
 * Recall over the number of files (the paper's section 4.2): at place k - 1 the share of `gold` that is among the first k
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
