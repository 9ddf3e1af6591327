import { z } from "zod";
import { issueShape } from "./discussion.ts";
import { COMMIT_TYPES, planShape, roleShape, taskShape } from "./plan.ts";
import { newTestShape } from "./verdict.ts";
import { workShape } from "./work.ts";

/** The format of a record saved as a file. The database's own format is in the migrations. */
export const RECORD_VERSION = 2;

/** The issue and commit that the run works on from now on, or why it may not go on. */
export type Start = KeptStart | { refused: string };

const baseShape = z.object({ branch: z.string(), commit: z.string() });

/** The commit that the whole run works on. */
export type Base = z.infer<typeof baseShape>;

const startShape = z.object({
  issue: issueShape,
  base: baseShape,
  /** id of the run that fixed issue and commit */
  by: z.string(),
  /** why an approved plan needs approval again, in a sentence */
  renewed: z.string().optional(),
  /** the mark of the approved plan */
  approved: z.string().optional(),
  /** why this run began anew instead of continuing the earlier one, in a sentence or two */
  anew: z.string().optional(),
  /** why the base branch differs from the earlier run's */
  moved: z.string().optional(),
});

/** What a run works on, kept for the runs that continue it. */
export type KeptStart = z.infer<typeof startShape>;

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
        /** how the summary came about */
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

/** Tasks as defined; without a Developer when designing one is a separate call. */
const tasksShape = z.object({
  assignments: z
    .array(taskShape.extend({ id: taskShape.shape.id.optional(), developer: roleShape.optional() }))
    .readonly(),
  refused: z.array(z.object({ path: z.string(), reason: z.string() })).readonly(),
  reason: z.string(),
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
        asked: z.array(newTestShape).readonly(),
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
  start: startShape,
  candidates: candidatesShape,
  tasks: tasksShape,
  plan: planShape,
  work: workShape,
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
  version?: number;
  [part: string]: unknown;
}

/** A record that `readRecord` has read. Parts that the run did not reach are absent. */
export type RunRecord = { readonly [Part in keyof Parts]?: z.output<Parts[Part]> } & {
  /** unknown and unreadable parts, as stored */
  others: Readonly<Record<string, unknown>>;
};

/** A file of the pool with the Custodian's judgement. */
export type JudgedFile = NonNullable<RunRecord["candidates"]>["judged"][number];
