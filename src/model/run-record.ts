import { z } from "zod";
import { type IssueSnapshot, STANDINGS } from "./discussion.ts";
import { filled, list, maybe, number, object, plain, sought, text, texts, truth, word } from "./lenient.ts";
import { isPlanNode, type MadePlan, type PlanNode, type PlannedDescription, type TaskAction } from "./plan.ts";
import type { BudgetLimit } from "./spend.ts";
import { type QaComment, type TaskOutcome, type Work, WRITERS } from "./work.ts";

/** The version of what is written now. Records without a version are of the first. */
export const RECORD_VERSION = 2;

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
  /** why the run that it goes on with could not be gone on with, and this one began anew, in a sentence or two */
  readonly anew?: string;
  /** why the branch is another one than that of the run that it goes on with */
  readonly moved?: string;
}

/** The commit that the whole run works on. */
export interface Base {
  readonly branch: string;
  readonly commit: string;
}

const standing = maybe(z.enum(STANDINGS));

const issueShape = object({
  number,
  title: text,
  body: text,
  author: text,
  standing,
  url: text,
  hint: text,
  gaveUp: maybe(text),
  discussion: list(object({ author: text, standing, body: text })),
  cut: maybe(list(z.string())),
  images: maybe(list(z.string())),
});

const startShape = object({
  issue: issueShape,
  base: object({ branch: text, commit: text }),
  by: text,
  renewed: maybe(text),
  approved: maybe(text),
  anew: maybe(text),
  moved: maybe(text),
});

/** Where the candidates came from: all files that were judged, and why none was left out. */
const candidatesShape = object({
  judged: list(
    object({
      path: z.string(),
      blob: text,
      score: sought(z.number()),
      reasons: list(z.string()),
      summary: text,
      source: text,
      /** absent in a record of which it cannot be told */
      relevant: sought(z.boolean()),
      use: maybe(word<"read">()),
      reason: text,
      names: maybe(list(z.string())),
    }),
  ),
  note: maybe(text),
});

const roleShape = object({ title: text, description: text });

const placeShape = object({ path: z.string(), start: number, end: number });

const draftShape = object({
  edits: list(object({ start: number, end: number, anchor: text, text })),
  summary: text,
});

const definition = {
  path: text,
  action: word<TaskAction>(),
  title: text,
  description: text,
  places: maybe(list(placeShape)),
  draft: maybe(draftShape),
  threads: maybe(list(z.string())),
};

const taskShape = object({ id: text, ...definition, developer: filled(roleShape) });

/** Tasks as they were defined, before a Developer was designed for each where that is a call of its own. */
const tasksShape = object({
  assignments: list(object({ id: maybe(text), ...definition, developer: maybe(roleShape) })),
  refused: list(object({ path: z.string(), reason: text })),
  reason: text,
});

const planShape = object({
  tasks: list(taskShape),
  order: plain<PlanNode>(isPlanNode, { sequence: [] }),
  source: text,
  fallback: maybe(text),
  meeting: list(object({ speaker: text, text })),
  agreed: text,
  reason: text,
  refused: number,
  questions: maybe(list(z.string())),
  unsolved: maybe(truth),
  notes: maybe(list(z.string())),
  at: maybe(object({ path: z.string(), line: number })),
  description: maybe(
    object({ type: word<PlannedDescription["type"]>(), scope: maybe(text), title: text, problem: text }),
  ),
});

const commentShape = object({
  id: text,
  taskId: text,
  round: number,
  path: text,
  line: maybe(z.number()),
  body: z.string(),
  status: word<QaComment["status"]>(),
  reply: maybe(text),
  mended: maybe(truth),
  weakens: maybe(z.enum(["asked", "unasked", "shown"])),
});

const outcomeShape = object({
  taskId: text,
  path: text,
  status: word<TaskOutcome["status"]>(),
  qaEngineer: filled(roleShape),
  attempts: list(object({ round: number, diff: text, rejected: maybe(z.string()), approved: truth, verdict: text })),
  comments: list(commentShape),
  summary: text,
  writers: maybe(list(z.enum(WRITERS))),
  replies: maybe(texts),
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

const workShape = object({
  outcomes: list(outcomeShape),
  changes: list(changeShape),
  patch: text,
  added: maybe(list(taskShape)),
  unfollowed: maybe(list(z.string())),
  stopped: maybe(object({ limit: word<BudgetLimit>(), unfinished: list(z.string()) })),
});

/** The commit that was published; `way`: how it was made. */
const commitShape = object({ id: text, branch: text, way: text, title: maybe(text) });

/** The command that checked the change; `words`: what fails at the end, `first`: what failed at first. */
const checkShape = object({
  command: text,
  base: word<"green" | "red" | "unknown">(),
  rounds: number,
  words: text,
  /** the new tests alone */
  tests: maybe(text),
  end: word<"green" | "red" | "unknown">(),
  first: maybe(text),
});

/** What the checks said to each commit of a proof, and what came of it in a sentence. */
const proofShape = object({
  said: maybe(text),
  pushes: list(
    object({
      /** `stage`: "red" for the test alone, "green" with the fix */
      commit: text,
      stage: text,
      verdict: text,
      /** why it was no other one */
      reason: maybe(text),
      checks: list(
        object({ name: text, state: text, url: maybe(text), seconds: maybe(number), excused: maybe(truth) }),
      ),
      tests: list(object({ name: text, check: text, words: text })),
      /** the tests that the change brings */
      asked: list(
        object({
          path: text,
          within: list(z.string()),
          name: text,
          before: maybe(z.literal(true)),
          also: maybe(z.literal(true)),
          loose: maybe(z.literal(true)),
        }),
      ),
    }),
  ),
});

/** The description of a pull request that was not opened. */
const wordsShape = object({
  type: word<PlannedDescription["type"]>(),
  scope: maybe(text),
  title: text,
  problem: text,
  solution: text,
  template: text,
});

/** Images that the issue shows: their bytes are kept nowhere. */
const imagesShape = list(
  object({
    url: z.string(),
    mediaType: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]),
    hash: z.string(),
  }),
);

/** What the run `by` has taken back of what was published, in words. */
const undoneShape = object({ by: text, what: list(z.string()) });

/** The parts of a record, one definition for those that write it and those that read it. */
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

/** What is written for each part. */
export type RecordParts = { readonly [Part in keyof Parts]: z.input<Parts[Part]> };

/** Keeps a part of a run's record, in place of what was kept of it before. */
export type KeepPart = <Part extends keyof RecordParts>(part: Part, value: RecordParts[Part]) => Promise<void>;

/** A record as it is kept and handed on: plain data of any version, to be read by `readRecord`. */
export interface StoredRecord {
  readonly version?: number;
  readonly [part: string]: unknown;
}

/** A record of any version, as this one reads it. Parts that the run did not come to are absent. */
export type RunRecord = { readonly [Part in keyof Parts]?: z.output<Parts[Part]> } & {
  /** what else was kept, as it is: parts of other versions, and parts that cannot be read */
  readonly others: Readonly<Record<string, unknown>>;
};

export type RecordedPlan = NonNullable<RunRecord["plan"]>;

export type RecordedTask = RecordedPlan["tasks"][number];

export type RecordedOutcome = NonNullable<RunRecord["work"]>["outcomes"][number];

export type RecordedCandidate = NonNullable<RunRecord["candidates"]>["judged"][number];
