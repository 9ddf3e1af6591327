import { z } from "zod";
import { type IssueSnapshot, STANDINGS } from "./discussion.ts";
import {
  AI_POLICIES,
  COMMIT_TYPES,
  isPlanNode,
  type MadePlan,
  type PlanNode,
  POLICY_MARKER,
  TASK_ACTIONS,
} from "./plan.ts";
import { BUDGET_LIMITS } from "./spend.ts";
import { TASK_STATUSES, type Work, WRITERS } from "./work.ts";

/** The format of a record saved as a file. The database's own format is in the migrations. */
export const RECORD_VERSION = 2;

/** The issue and commit that the run works on from now on, or why it may not go on. */
export type Start = KeptStart | { readonly refused: string };

/** What a run works on, kept for the runs that continue it. */
export interface KeptStart {
  readonly issue: IssueSnapshot;
  readonly base: Base;
  /** id of the run that fixed issue and commit */
  readonly by: string;
  /** why an approved plan needs approval again, in a sentence */
  readonly renewed?: string;
  /** the mark of the approved plan */
  readonly approved?: string;
  /** why this run began anew instead of continuing the earlier one, in a sentence or two */
  readonly anew?: string;
  /** why the base branch differs from the earlier run's */
  readonly moved?: string;
}

/** The commit that the whole run works on. */
export interface Base {
  readonly branch: string;
  readonly commit: string;
}

const standing = z.enum(STANDINGS).optional();

const issueShape = z.object({
  number: z.number(),
  title: z.string(),
  body: z.string(),
  author: z.string(),
  standing,
  url: z.string(),
  hint: z.string(),
  gaveUp: z.string().optional(),
  at: z.string().optional(),
  discussion: z.array(z.object({ author: z.string(), standing, body: z.string() })).readonly(),
  cut: z.array(z.string()).readonly().optional(),
  images: z.array(z.string()).readonly().optional(),
  attachments: z
    .array(z.object({ name: z.string(), author: z.string(), standing, text: z.string() }))
    .readonly()
    .optional(),
  relatives: z
    .array(
      z.object({
        relation: z.enum(["parent", "sub-issue"]),
        number: z.number(),
        open: z.boolean(),
        title: z.string(),
        begin: z.string(),
        author: z.string(),
        standing,
      }),
    )
    .readonly()
    .optional(),
  declined: z
    .object({
      number: z.number(),
      outline: z.string(),
      said: z.array(z.object({ author: z.string(), path: z.string().optional(), body: z.string() })).readonly(),
    })
    .optional(),
});

const startShape = z.object({
  issue: issueShape,
  base: z.object({ branch: z.string(), commit: z.string() }),
  by: z.string(),
  renewed: z.string().optional(),
  approved: z.string().optional(),
  anew: z.string().optional(),
  moved: z.string().optional(),
});

/** All files that were judged, with the reasons; `note` says why none was left out. */
const candidatesShape = z.object({
  judged: z
    .array(
      z.object({
        path: z.string(),
        blob: z.string(),
        score: z.number(),
        reasons: z.array(z.string()).readonly(),
        summary: z.string(),
        source: z.string(),
        relevant: z.boolean(),
        use: z.literal("read").optional(),
        reason: z.string(),
        names: z.array(z.string()).readonly().optional(),
      }),
    )
    .readonly(),
  note: z.string().optional(),
});

/**
 * `t1`, `th2`, `t1-r1-3`: the ids of tasks, feedback and comments. They stand in texts and hidden marks as they are, so
 * none may hold anything else.
 */
const idShape = z.string().regex(/^[a-z]{1,3}\d{1,6}(?:-[a-z]\d{1,6}(?:-\d{1,6})?)?$/);

const roleShape = z.object({ title: z.string(), description: z.string() });

const placeShape = z.object({ path: z.string(), start: z.number(), end: z.number() });

const draftShape = z.object({
  edits: z.array(z.object({ start: z.number(), end: z.number(), anchor: z.string(), text: z.string() })).readonly(),
  summary: z.string(),
});

const definition = {
  path: z.string(),
  action: z.enum(TASK_ACTIONS),
  title: z.string(),
  description: z.string(),
  places: z.array(placeShape).readonly().optional(),
  draft: draftShape.optional(),
  threads: z.array(idShape).readonly().optional(),
};

const taskShape = z.object({ id: idShape, ...definition, developer: roleShape });

/** Tasks as defined; without a Developer when designing one is a separate call. */
const tasksShape = z.object({
  assignments: z.array(z.object({ id: idShape.optional(), ...definition, developer: roleShape.optional() })).readonly(),
  refused: z.array(z.object({ path: z.string(), reason: z.string() })).readonly(),
  reason: z.string(),
});

const planShape = z.object({
  tasks: z.array(taskShape).readonly(),
  order: z.custom<PlanNode>((value) => isPlanNode(value)),
  source: z.string(),
  fallback: z.string().optional(),
  meeting: z.array(z.object({ speaker: z.string(), text: z.string() })).readonly(),
  agreed: z.string(),
  reason: z.string(),
  refused: z.number(),
  questions: z.array(z.string()).readonly().optional(),
  unsolved: z.boolean().optional(),
  notes: z.array(z.string()).readonly().optional(),
  at: z.object({ path: z.string(), line: z.number() }).optional(),
  policy: z
    .object({
      asks: z.enum(AI_POLICIES),
      quote: z.string(),
      path: z.string(),
      line: z.number(),
      trailer: z.enum(["Assisted-by", "Generated-by"]).optional(),
      marker: z.string().regex(POLICY_MARKER).optional(),
    })
    .optional(),
  description: z
    .object({ type: z.enum(COMMIT_TYPES), scope: z.string().optional(), title: z.string(), problem: z.string() })
    .optional(),
});

const commentShape = z.object({
  id: idShape,
  taskId: idShape,
  round: z.number(),
  path: z.string(),
  line: z.number().optional(),
  body: z.string(),
  status: z.enum(["open", "settled"]),
  reply: z.string().optional(),
  mended: z.boolean().optional(),
  shown: z.literal(true).optional(),
});

const outcomeShape = z.object({
  taskId: idShape,
  path: z.string(),
  status: z.enum(TASK_STATUSES),
  qaEngineer: roleShape,
  attempts: z
    .array(
      z.object({
        round: z.number(),
        diff: z.string(),
        rejected: z.string().optional(),
        approved: z.boolean(),
        verdict: z.string(),
      }),
    )
    .readonly(),
  comments: z.array(commentShape).readonly(),
  summary: z.string(),
  writers: z.array(z.enum(WRITERS)).readonly().optional(),
  replies: z.record(idShape, z.string()).optional(),
});

const changeShape = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("modify"),
    path: z.string(),
    edits: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })).readonly(),
  }),
  z.object({ kind: z.literal("create"), path: z.string(), content: z.string() }),
  z.object({ kind: z.literal("delete"), path: z.string() }),
]);

const workShape = z.object({
  outcomes: z.array(outcomeShape).readonly(),
  changes: z.array(changeShape).readonly(),
  patch: z.string(),
  added: z.array(taskShape).readonly().optional(),
  unfollowed: z.array(z.string()).readonly().optional(),
  stopped: z.object({ limit: z.enum(BUDGET_LIMITS), unfinished: z.array(z.string()).readonly() }).optional(),
});

/** The published commit; `way`: how it was made. */
const commitShape = z.object({ id: z.string(), branch: z.string(), way: z.string(), title: z.string().optional() });

/** The command that checked the change; `words`: what fails at the end, `first`: what failed first. */
const checkShape = z.object({
  command: z.string(),
  base: z.enum(["green", "red", "unknown"]),
  rounds: z.number(),
  words: z.string(),
  /** the new tests alone */
  tests: z.string().optional(),
  end: z.enum(["green", "red", "unknown"]),
  first: z.string().optional(),
});

/** The checks' verdict on each commit of a proof, and the outcome in a sentence. */
const proofShape = z.object({
  said: z.string().optional(),
  pushes: z
    .array(
      z.object({
        /** `stage`: "red" for the test alone, "green" with the fix */
        commit: z.string(),
        stage: z.string(),
        verdict: z.string(),
        /** why it was not another verdict */
        reason: z.string().optional(),
        checks: z
          .array(
            z.object({
              name: z.string(),
              state: z.string(),
              url: z.string().optional(),
              seconds: z.number().optional(),
              excused: z.boolean().optional(),
            }),
          )
          .readonly(),
        tests: z.array(z.object({ name: z.string(), check: z.string(), words: z.string() })).readonly(),
        /** the tests that the change brings */
        asked: z
          .array(
            z.object({
              path: z.string(),
              within: z.array(z.string()).readonly(),
              name: z.string(),
              before: z.literal(true).optional(),
              also: z.literal(true).optional(),
              loose: z.literal(true).optional(),
            }),
          )
          .readonly(),
      }),
    )
    .readonly(),
});

/** The description of a pull request that was not opened. */
const wordsShape = z.object({
  type: z.enum(COMMIT_TYPES),
  scope: z.string().optional(),
  title: z.string(),
  problem: z.string(),
  solution: z.string(),
  template: z.string(),
});

/** The issue's images, without their bytes. */
const imagesShape = z
  .array(
    z.object({
      asset: z.string(),
      mediaType: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]),
      hash: z.string(),
    }),
  )
  .readonly();

/** What the run `by` has taken back of its publications, in words. */
const undoneShape = z.object({ by: z.string(), what: z.array(z.string()).readonly() });

/** The parts of a record, defined once for writing and reading. */
export const PARTS = {
  start: startShape satisfies z.ZodType<unknown, KeptStart>,
  candidates: candidatesShape,
  tasks: tasksShape,
  plan: planShape satisfies z.ZodType<unknown, MadePlan>,
  work: workShape satisfies z.ZodType<unknown, Work>,
  commit: commitShape,
  check: checkShape,
  proof: proofShape,
  description: wordsShape,
  images: imagesShape,
  undone: undoneShape,
};

type Parts = typeof PARTS;

/** The values of the parts. */
export type RecordParts = { readonly [Part in keyof Parts]: z.input<Parts[Part]> };

/** Saves a part of a run's record, replacing the earlier one. */
export type KeepPart = <Part extends keyof RecordParts>(part: Part, value: RecordParts[Part]) => Promise<void>;

/** A stored record: plain data, to be read by `readRecord`. An empty one has no version. */
export interface StoredRecord {
  readonly version?: number;
  readonly [part: string]: unknown;
}

/** A record that `readRecord` has read. Parts that the run did not reach are absent. */
export type RunRecord = { readonly [Part in keyof Parts]?: z.output<Parts[Part]> } & {
  /** unknown and unreadable parts, as stored */
  readonly others: Readonly<Record<string, unknown>>;
};

export type RecordedPlan = NonNullable<RunRecord["plan"]>;

export type RecordedTask = RecordedPlan["tasks"][number];

export type RecordedOutcome = NonNullable<RunRecord["work"]>["outcomes"][number];

export type RecordedCandidate = NonNullable<RunRecord["candidates"]>["judged"][number];
