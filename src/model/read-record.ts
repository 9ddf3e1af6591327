import { z } from "zod";
import type { Command } from "./command.ts";
import { list, maybe, number, object, text, truth } from "./lenient.ts";
import { PARTS, RECORD_VERSION, type RunRecord, type StoredRecord } from "./run-record.ts";
import type { Delivery, RunRequest, Trigger } from "./run-request.ts";

/** A record of any version, from anywhere: what is missing is absent, and nothing is refused. */
export function readRecord({ version, ...stored }: StoredRecord): RunRecord {
  const from = typeof version === "number" ? version : 1;
  const parts = Object.entries(stored).map(([name, value]) => {
    const part = currentName(name, from);
    const shape = Object.hasOwn(PARTS, part) ? PARTS[part as keyof typeof PARTS] : undefined;
    return { part, value, read: shape?.safeParse(upgraded(part, value, from)) };
  });
  const known = parts.flatMap(({ part, read }) => (read?.success ? [[part, read.data] as const] : []));
  const others = parts.flatMap(({ part, value, read }) => (read?.success ? [] : [[part, value] as const]));
  // Each part was read by its own shape.
  return { ...(Object.fromEntries(known) as Omit<RunRecord, "others">), others: Object.fromEntries(others) };
}

/** A row of a record where parts are kept one by one, each by the version that wrote it; null: the first. */
export interface StoredPart {
  readonly part: string;
  readonly value: unknown;
  readonly version: number | null;
}

/** The record that rows make: as this version would have written it. */
export function joinParts(rows: readonly StoredPart[]): StoredRecord {
  if (rows.length === 0) return {};
  const parts = rows.map(
    ({ part, value, version }) => [currentName(part, version ?? 1), upgraded(part, value, version ?? 1)] as const,
  );
  return { version: RECORD_VERSION, ...Object.fromEntries(parts) };
}

/** The description of a pull request that was not opened was called its words once. */
function currentName(part: string, from: number): string {
  return from < RECORD_VERSION && part === "words" ? "description" : part;
}

/** Gives a part that version `from` has written the form of this one. */
function upgraded(part: string, value: unknown, from: number): unknown {
  if (from >= RECORD_VERSION) return value;
  if (part === "candidates") return upgradedCandidates(value);
  if (part === "tasks") return upgradedTasks(value);
  if (part === "plan") return upgradedPlan(value);
  return value;
}

const row = z.array(z.looseObject({}));

/** A verdict was one of three words once. */
function upgradedCandidates(value: unknown): unknown {
  const read = z.looseObject({ judged: row }).safeParse(value);
  if (!read.success) return value;
  const judged = read.data.judged.map(({ verdict, ...file }) => {
    const said = verdict ?? file.relevant;
    if (typeof said !== "string") return file;
    return { ...file, relevant: said !== "no", ...(said === "read" && { use: "read" }) };
  });
  return { ...read.data, judged };
}

/** The Manager's draft lay open in the task once. */
function upgradedTasks(value: unknown): unknown {
  const read = z.looseObject({ assignments: row }).safeParse(value);
  if (!read.success) return value;
  const assignments = read.data.assignments.map(({ edits, summary, ...task }) =>
    Array.isArray(edits) && edits.length > 0 ? { ...task, draft: { edits, summary } } : task,
  );
  return { ...read.data, assignments };
}

/** What a plan says of its pull request was called its words once. */
function upgradedPlan(value: unknown): unknown {
  const read = z.looseObject({ words: z.unknown() }).safeParse(value);
  if (!read.success) return value;
  const { words, ...plan } = read.data;
  return { ...plan, description: words };
}

const usageShape = object({ input: number, cacheWrite: number, cacheRead: number, output: number });

/** Of an answer that called tools, those. */
const toolCallShape = object({ type: z.literal("tool_use"), id: text, name: z.string(), input: z.unknown() });

const callsShape = list(
  object({
    promptId: z.string(),
    tier: text,
    answer: maybe(
      object({ model: text, effort: maybe(z.string()), stop: text, usage: usageShape, blocks: list(toolCallShape) }),
    ),
    tokens: number,
    money: number,
    elapsed: number,
    began: maybe(z.number()),
    failure: maybe(z.string()),
  }),
);

const resultShape = object({
  kind: z.string(),
  reason: text,
  message: text,
  code: text,
  limit: text,
  by: text,
  because: maybe(z.string()),
  patch: text,
  withheld: text,
  made: text,
  check: text,
  checked: text,
  proof: maybe(object({ proved: truth, said: text, failed: text })),
  questions: list(z.string()),
  openThreads: number,
  openComments: number,
  pullRequest: maybe(object({ number: z.number(), url: text })),
  finished: list(z.string()),
  unfinished: list(z.string()),
  undone: list(z.string()),
  stays: maybe(object({ number: z.number(), url: text })),
});

const stateShape = object({
  phases: list(object({ name: z.string(), status: text, detail: text })),
  tasks: list(object({ id: text, path: text, title: text, status: text })),
  spend: maybe(object({ calls: number, tokens: number, money: number, elapsed: number })),
  resumed: number,
  waiting: maybe(object({ for: text })),
  queued: maybe(object({ ahead: number })),
  pullRequest: maybe(object({ number: z.number(), url: text })),
  followUps: list(object({ what: text, outcome: text, open: number, money: number })),
  result: maybe(resultShape),
});

const storedShape = z.record(z.string(), z.unknown()).transform((record) => readRecord(record));

/** A RunReport as it is shown. Only what makes it one has to be there. */
const runShape = object({
  id: z.string(),
  repository: text,
  number: maybe(z.number()),
  title: text,
  requestedAt: text,
  work: maybe(z.enum(["resolve", "revise", "repair"])),
  state: maybe(stateShape),
  record: storedShape,
  calls: z.array(z.unknown()).transform((calls) => callsShape.parse(calls)),
});

export type ShownRun = z.output<typeof runShape>;

export type ShownCall = ShownRun["calls"][number];

export type ShownResult = NonNullable<NonNullable<ShownRun["state"]>["result"]>;

/** A RunReport of this or another version, from anywhere; undefined when it is none. */
export function readRun(report: unknown): ShownRun | undefined {
  return runShape.safeParse(report).data;
}

/** A request as it comes back from where it was kept, of this version or the one before. */
export function readRunRequest(stored: unknown): RunRequest {
  const { hint, ...request } = withCurrentTrigger(stored as RunRequest);
  if (hint === undefined) return request;
  const { trigger } = request;
  // A retry takes no words of people: these were the agents'.
  const isRetry = trigger.kind === "other-command" && trigger.command.verb === "retry";
  return { ...request, ...(isRetry ? { gaveUp: hint } : { hint }) };
}

/** A delivery as it comes back from where it was kept, of this version or the one before. */
export function readDelivery(stored: unknown): Delivery {
  return withCurrentTrigger(stored as Delivery);
}

/** How triggers were called once. */
const FORMER_KINDS: ReadonlyMap<string, Trigger["kind"]> = new Map([
  ["order", "other-command"],
  ["remark", "comment"],
]);

function withCurrentTrigger<T extends { readonly trigger: Trigger }>(stored: T): T {
  const { words, ...rest } = stored as T & { readonly words?: string };
  const { trigger } = stored;
  const kind = FORMER_KINDS.get(trigger.kind) ?? trigger.kind;
  const command = "command" in trigger ? { command: withCurrentHint(trigger.command) } : {};
  return { ...(rest as T), ...(words !== undefined && { hint: words }), trigger: { ...trigger, ...command, kind } };
}

/** What follows a verb was called its words once. */
function withCurrentHint(command: Command): Command {
  const { words, ...rest } = command as Command & { readonly words?: string };
  return words === undefined ? command : ({ ...rest, hint: words } as Command);
}
