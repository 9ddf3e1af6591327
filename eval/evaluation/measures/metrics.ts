import { z } from "zod";
import { readRecord } from "../../../src/data/read-record.ts";
import type { StoredRecord } from "../../../src/data/run-record.ts";
import { COMPLEXITY_FIGURES } from "./patch-measures.ts";

const count = z.int().nonnegative();

const paths = z.array(z.string());

const complexity = z.record(z.enum(COMPLEXITY_FIGURES), count);

const sum = z.object({ calls: count, tokens: count, money: z.number(), elapsedMs: z.number() });

const sums = z.record(z.string(), sum);

/** What some calls used. */
export type Sum = z.output<typeof sum>;

/** Adds up figures of the same name. */
export function sumByName(rows: readonly (readonly [name: string, used: Sum])[]): Record<string, Sum> {
  const sums: Record<string, Sum> = {};
  for (const [name, used] of rows) {
    const sum = sums[name] ?? { calls: 0, tokens: 0, money: 0, elapsedMs: 0 };
    sums[name] = {
      calls: sum.calls + used.calls,
      tokens: sum.tokens + used.tokens,
      money: sum.money + used.money,
      elapsedMs: sum.elapsedMs + used.elapsedMs,
    };
  }
  return sums;
}

/**
 * All figures of one instance, as kept and as in `results.json`; `docs/evaluation.md` defines each. null: it could not
 * be measured, or nobody asked for it.
 */
export const instanceMetricsShape = z.object({
  id: z.string(),
  repository: z.string(),
  baseCommit: z.string(),
  /** SHA-256 of the instance: what was solved */
  digest: z.string(),
  /** how the run ended: the kind of its result, and why in a sentence */
  end: z.object({ kind: z.string(), reason: z.string() }),
  patch: z.object({
    empty: z.boolean(),
    /** null: neither this change nor the reference changes anything */
    applied: z.boolean().nullable(),
    refusal: z.string().nullable(),
  }),
  /** null: the files were given */
  recall: z
    .object({ gold: paths, custodian: paths, bm25: paths, lunr: paths, ranking: paths, corpus: count })
    .nullable(),
  coverage: z.object({ covered: count, lines: count, ratio: z.number().nullable() }),
  complexity: z.object({ reference: complexity.nullable(), generated: complexity.nullable() }),
  spend: z.object({
    calls: count,
    failedCalls: count,
    input: count,
    cacheWrite: count,
    cacheRead: count,
    output: count,
    tokens: count,
    money: z.number(),
    wallMs: z.number(),
    sequentialCalls: count,
    criticalMs: z.number(),
    lookups: count,
    models: z.array(z.string()),
    byPrompt: sums,
    /** by the effort that was asked for; calls without one are left out */
    byEffort: sums.default({}),
  }),
  /** how a command judged the change, and the patch before that; null: nothing was checked */
  check: z
    .object({ base: z.string(), tests: z.string().nullable(), end: z.string(), rounds: count, unchecked: z.string() })
    .nullable()
    .default(null),
  /** the judge's score of each task's description; `tasks`: how many there were to score */
  correlation: z
    .object({
      scores: z.array(z.object({ path: z.string(), score: z.int().min(1).max(5), reason: z.string() })),
      tasks: count,
      model: z.string(),
      money: z.number(),
      tokens: count,
    })
    .nullable(),
});

export type InstanceMetrics = z.output<typeof instanceMetricsShape>;

/** A task of the plan, as far as it is judged. */
export type PlannedTask = Readonly<Record<"path" | "action" | "title" | "description", string>>;

/** How many files stay when the Custodian judges none relevant. */
const KEPT_AT_LEAST = 3;

/**
 * What the measures need of a run's record: the files that the Custodian located (first those that may have to change,
 * then those to read), and the plan's tasks. Parts that a run did not reach are empty lists.
 */
export function measuredParts(stored: StoredRecord): {
  located: readonly string[];
  tasks: readonly PlannedTask[];
} {
  const { candidates, plan } = readRecord(stored);
  const judged = candidates?.judged ?? [];
  const relevant = judged.filter((file) => file.relevant);
  const kept = relevant.length > 0 ? relevant : judged.slice(0, KEPT_AT_LEAST);
  const located = [...kept.filter(({ use }) => use !== "read"), ...kept.filter(({ use }) => use === "read")];
  return {
    located: located.map(({ path }) => path),
    tasks: (plan?.tasks ?? []).map(({ path, action, title, description }) => ({ path, action, title, description })),
  };
}
