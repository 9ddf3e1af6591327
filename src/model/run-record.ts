import { z } from "zod";
import type { IssueSnapshot } from "./discussion.ts";

/** The issue and the commit as they are from now on, or why the run may not go on. */
export type Start = KeptStart | { readonly refused: string };

/** What a run is about, as the record keeps it for the runs that go on with it. */
export interface KeptStart {
  readonly issue: IssueSnapshot;
  readonly base: Base;
  /** the run that fixed it */
  readonly by: string;
  /** why a plan that was approved is put before people again, in a sentence */
  readonly renewed?: string;
  /** the mark of the plan that a person has approved */
  readonly approved?: string;
}

/** The commit that the whole run works on. */
export interface Base {
  readonly branch: string;
  readonly commit: string;
}

/**
 * Shapes for records that older or newer versions have written: what is missing or of another type is taken as absent
 * or empty, and nothing is refused.
 */
const lenient = {
  text: z.string().catch(""),
  number: z.number().catch(0),
  truth: z.boolean().catch(false),
  /** undefined unless it fits */
  maybe: <T extends z.ZodType>(shape: T) => shape.optional().catch(undefined),
  /** the elements that fit */
  list: <T extends z.ZodType>(shape: T) =>
    z
      .array(z.unknown())
      .catch([])
      .transform((items) =>
        items.flatMap((item) => {
          const parsed = shape.safeParse(item);
          return parsed.success ? [parsed.data] : [];
        }),
      ),
};

const { text, number, truth, maybe, list } = lenient;

const roleShape = z.object({ title: text, description: text });

export const startShape = z.object({
  issue: maybe(
    z.object({
      number: maybe(z.number()),
      title: text,
      body: text,
      author: text,
      url: text,
      hint: text,
      discussion: list(z.object({ author: text, body: text })),
    }),
  ),
  base: maybe(z.object({ branch: text, commit: text })),
  refused: text,
});

export const candidatesShape = z.object({
  judged: list(
    z.object({
      path: z.string(),
      score: maybe(z.number()),
      reasons: list(z.string()),
      summary: text,
      source: text,
      // How a verdict is kept has changed: yes or no once, then one of three words.
      relevant: maybe(z.union([z.boolean(), z.string()])),
      verdict: maybe(z.string()),
      use: maybe(z.string()),
      reason: text,
    }),
  ),
  note: text,
});

const taskShape = z.object({
  id: text,
  path: text,
  action: text,
  title: text,
  description: text,
  developer: maybe(roleShape),
  places: list(z.object({ path: z.string(), start: number, end: number })),
});

export const tasksShape = z.object({
  assignments: list(taskShape),
  refused: list(z.object({ path: z.string(), reason: text })),
  reason: text,
});

export const planShape = z.object({
  tasks: list(taskShape),
  order: z.unknown().optional(),
  source: text,
  fallback: text,
  meeting: list(z.object({ speaker: text, text })),
  agreed: text,
  reason: text,
  words: maybe(z.object({ type: text, title: text, problem: text })),
});

const commentShape = z.object({
  round: number,
  path: text,
  line: maybe(z.number()),
  body: z.string(),
  status: text,
  reply: text,
});

const attemptShape = z.object({
  round: number,
  diff: text,
  rejected: maybe(z.string()),
  approved: truth,
  verdict: text,
});

const outcomeShape = z.object({
  taskId: text,
  path: text,
  status: text,
  qaEngineer: maybe(roleShape),
  attempts: list(attemptShape),
  comments: list(commentShape),
  summary: text,
});

export const workShape = z.object({
  outcomes: list(outcomeShape),
  patch: text,
  /** tasks that the last review found to be missing */
  added: list(taskShape),
  stopped: maybe(z.object({ limit: text, unfinished: list(z.string()) })),
});

export const commitShape = z.object({ id: text, branch: text, way: text, title: text });

export type ShownTask = z.infer<typeof taskShape>;

export type ShownOutcome = z.infer<typeof outcomeShape>;

export type ShownCandidate = z.infer<typeof candidatesShape>["judged"][number];

const usageShape = z.object({ input: number, cacheWrite: number, cacheRead: number, output: number });

const callShape = z.object({
  promptId: z.string(),
  tier: text,
  answer: maybe(z.object({ model: text, stop: text, usage: usageShape })),
  tokens: number,
  money: number,
  elapsed: number,
  began: maybe(z.number()),
  failure: maybe(z.string()),
});

const resultShape = z.object({
  kind: z.string(),
  reason: text,
  message: text,
  code: text,
  limit: text,
  phase: text,
  by: text,
  patch: text,
  openThreads: number,
  pullRequest: maybe(z.object({ number: z.number(), url: text })),
  finished: list(z.string()),
  unfinished: list(z.string()),
  undone: list(z.string()),
});

const stateShape = z.object({
  phases: list(z.object({ name: z.string(), status: text, detail: text })),
  tasks: list(z.object({ id: text, path: text, title: text, status: text })),
  spend: maybe(z.object({ calls: number, tokens: number, money: number, elapsed: number })),
  resumed: number,
  pullRequest: maybe(z.object({ number: z.number(), url: text })),
  followUps: list(z.object({ what: text, outcome: text, open: number, money: number })),
  result: maybe(resultShape),
});

const recordShape = z.record(z.string(), z.unknown());

/** A RunReport as it is shown. Only what makes it one has to be there. */
export const runShape = z.object({
  id: z.string(),
  repository: text,
  number: maybe(z.number()),
  title: text,
  requestedAt: text,
  state: maybe(stateShape),
  record: recordShape,
  calls: z.array(z.unknown()).pipe(list(callShape)),
});

export type ShownRun = z.infer<typeof runShape>;

export type ShownCall = z.infer<typeof callShape>;

export type ShownResult = z.infer<typeof resultShape>;

/** A part of a run's record, read with leniency: what is missing, or no part at all, is as if it were empty. */
export function readPart<T extends z.ZodObject>(shape: T, value: unknown): z.infer<T> {
  const read = shape.safeParse(value);
  return read.success ? read.data : shape.parse({});
}

/** A RunReport of this or another version, from anywhere; undefined when it is none. */
export function readRun(report: unknown): ShownRun | undefined {
  return runShape.safeParse(report).data;
}
