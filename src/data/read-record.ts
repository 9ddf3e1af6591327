import { z } from "zod";
import { MagisError } from "./error.ts";
import { PARTS, RECORD_VERSION, type RunRecord, type StoredRecord } from "./run-record.ts";

/** Reads a record from a database or file. Throws RECORD_UNREADABLE for another version's format. */
export function readRecord({ version = RECORD_VERSION, ...stored }: StoredRecord): RunRecord {
  if (version !== RECORD_VERSION) {
    const message =
      `The record of this run has format ${version}, and this version of MAGIS reads format ${RECORD_VERSION}. ` +
      "Use the version that kept it.";
    throw new MagisError("RECORD_UNREADABLE", message);
  }
  const parts = Object.entries(stored).map(([part, value]) => {
    const shape = Object.hasOwn(PARTS, part) ? PARTS[part as keyof typeof PARTS] : undefined;
    return { part, value, read: shape?.safeParse(value) };
  });
  const known = parts.flatMap(({ part, read }) => (read?.success ? [[part, read.data] as const] : []));
  const others = parts.flatMap(({ part, value, read }) => (read?.success ? [] : [[part, value] as const]));
  return { ...(Object.fromEntries(known) as Omit<RunRecord, "others">), others: Object.fromEntries(others) };
}

/** A database row: one part of a record. */
export interface StoredPart {
  part: string;
  value: unknown;
}

export function joinParts(rows: readonly StoredPart[]): StoredRecord {
  if (rows.length === 0) return {};
  return { version: RECORD_VERSION, ...Object.fromEntries(rows.map(({ part, value }) => [part, value])) };
}

const usageShape = z.object({ input: z.number(), cacheWrite: z.number(), cacheRead: z.number(), output: z.number() });

const toolCallShape = z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.unknown() });

/** Keeps only the blocks of an answer that call tools. */
const toolCallsShape = z.array(z.unknown()).transform((blocks) =>
  blocks.flatMap((block) => {
    const { success, data } = toolCallShape.safeParse(block);
    return success ? [data] : [];
  }),
);

const callsShape = z
  .array(
    z.object({
      promptId: z.string(),
      tier: z.string(),
      answer: z
        .object({
          model: z.string(),
          effort: z.string().optional(),
          stop: z.string(),
          usage: usageShape,
          blocks: toolCallsShape.default([]),
        })
        .optional(),
      tokens: z.number().min(0),
      money: z.number().min(0),
      elapsed: z.number().min(0),
      began: z.number().optional(),
      failure: z.string().optional(),
    }),
  )
  .readonly();

/** The fields of all kinds of ends that `magis show` needs; empty for kinds without them. */
const resultShape = z.object({
  kind: z.string(),
  reason: z.string().default(""),
  paid: z.literal(true).optional().catch(undefined),
  message: z.string().default(""),
  code: z.string().default(""),
  limit: z.string().default(""),
  by: z.string().default(""),
  because: z.string().optional(),
  patch: z.string().default(""),
  withheld: z.string().default(""),
  left: z.string().default(""),
  made: z.string().default(""),
  check: z.string().default(""),
  checked: z.string().default(""),
  proof: z.object({ proved: z.boolean(), said: z.string(), failed: z.string().default("") }).optional(),
  questions: z.array(z.string()).readonly().default([]),
  openThreads: z.number().default(0),
  openComments: z.number().default(0),
  pullRequest: z.object({ number: z.number(), url: z.string() }).optional(),
  finished: z.array(z.string()).readonly().default([]),
  unfinished: z.array(z.string()).readonly().default([]),
  undone: z.array(z.string()).readonly().default([]),
  stays: z.object({ number: z.number(), url: z.string() }).optional(),
});

const stateShape = z.object({
  phases: z.array(z.object({ name: z.string(), status: z.string(), detail: z.string().default("") })).readonly(),
  tasks: z.array(z.object({ id: z.string(), path: z.string(), title: z.string(), status: z.string() })).readonly(),
  spend: z.object({ calls: z.number(), tokens: z.number(), money: z.number(), elapsed: z.number() }).optional(),
  resumed: z.number(),
  waiting: z.object({ for: z.string(), since: z.string().optional() }).optional(),
  checks: z.object({ since: z.string() }).optional(),
  since: z.string().optional(),
  queued: z
    .object({
      ahead: z.number(),
      held: z.object({ by: z.enum(["budget", "pulls"]), since: z.string(), until: z.string().optional() }).optional(),
    })
    .optional(),
  pullRequest: z.object({ number: z.number(), url: z.string() }).optional(),
  followUps: z
    .array(z.object({ what: z.string(), outcome: z.string(), open: z.number(), money: z.number() }))
    .readonly()
    .default([]),
  result: resultShape.optional(),
});

/** Where a run stands, as `data/run-status.ts` has it. */
const statusShape = z.object({
  is: z.enum(["queued", "working", "waiting", "ended"]),
  ahead: z.number().optional(),
  phase: z.string().optional(),
  for: z.string().optional(),
  since: z.string().optional(),
  until: z.string().optional(),
});

/** The parts of a RunReport that `magis show` needs. */
const runShape = z.object({
  id: z.string(),
  repository: z.string(),
  number: z.number().optional(),
  title: z.string(),
  requestedAt: z.string(),
  work: z.string().optional(),
  standing: statusShape.optional().catch(undefined),
  state: stateShape.optional(),
  record: z.record(z.string(), z.unknown()).transform(readRecord),
  calls: callsShape,
});

export type ShownRun = z.output<typeof runShape>;

export type ShownCall = ShownRun["calls"][number];

export type ShownResult = NonNullable<NonNullable<ShownRun["state"]>["result"]>;

/** Reads a RunReport; undefined when it is not one. Throws RECORD_UNREADABLE for another version's format. */
export function readRun(report: unknown): ShownRun | undefined {
  return runShape.safeParse(report).data;
}
