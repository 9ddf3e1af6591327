import { z } from "zod";
import type { CostEstimate } from "./spend.ts";

/**
 * `t1`, `th2`, `t1-r1-3`: the ids of tasks, feedback and comments. They stand in texts and hidden marks as they are, so
 * none may hold anything else.
 */
export const idShape = z.string().regex(/^[a-z]{1,3}\d{1,6}(?:-[a-z]\d{1,6}(?:-\d{1,6})?)?$/);

export const roleShape = z.object({
  /** e.g. "HTTP header parsing developer" */
  title: z.string(),
  /** skills and duties, a few sentences */
  description: z.string(),
});

/** A Developer or QA Engineer, described by the Manager (P5) or the Developer (P8) for one task. */
export type RoleDescription = z.infer<typeof roleShape>;

const placeShape = z.object({ path: z.string(), start: z.number(), end: z.number() });

/** Lines of a file, 1-based, both inclusive. */
export type Place = z.infer<typeof placeShape>;

export const TASK_ACTIONS = ["modify", "create", "delete"] as const;

export type TaskAction = (typeof TASK_ACTIONS)[number];

export const taskShape = z.object({
  /** `t1`, `t2`, … in the order of the candidates */
  id: idShape,
  path: z.string(),
  action: z.enum(TASK_ACTIONS),
  /** one line */
  title: z.string(),
  description: z.string(),
  /** the Developer designed for it (P5, adjusted by P6) */
  developer: roleShape,
  /** what the Developer has to see: parts of a long file, and parts of other files */
  places: z.array(placeShape).readonly().optional(),
  /** the Manager's own short change, when it has seen every line; it is checked like a Developer's */
  draft: z
    .object({
      edits: z.array(z.object({ start: z.number(), end: z.number(), anchor: z.string(), text: z.string() })).readonly(),
      /** what it does, in a sentence */
      summary: z.string(),
    })
    .optional(),
  /** ids of the feedback that the description quotes (`th1`, `re2`); each needs an answer (P9's `replies`) */
  threads: z.array(idShape).readonly().optional(),
});

/** A file-level task (P4): what must happen to one file so that the issue is resolved. */
export type Task = z.infer<typeof taskShape>;

/** The order of tasks, as parsed from the plan's code (P7). */
export type PlanNode = { run: string } | { sequence: readonly PlanNode[] } | { concurrently: readonly PlanNode[] };

/** Deeper than any plan that we write. */
const MAX_DEPTH = 100;

/** Whether a stored value is an order of tasks, at every level. */
function isPlanNode(value: unknown, depth = 0): value is PlanNode {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return false;
  const { run, sequence, concurrently } = value as Partial<Record<"run" | "sequence" | "concurrently", unknown>>;
  if (typeof run === "string") return true;
  const branches = sequence ?? concurrently;
  return Array.isArray(branches) && branches.every((branch) => isPlanNode(branch, depth + 1));
}

const speechShape = z.object({ speaker: z.string(), text: z.string() });

/** One speech of the kick-off meeting. */
export type Speech = z.infer<typeof speechShape>;

/** Nothing made by AI; no bots as authors; a person answers for it; it is said. */
const AI_POLICIES = ["forbidden", "no-bots", "supervised", "disclose"] as const;

/** A comment that nobody sees, holds plain words only, and is none of our own marks. */
export const POLICY_MARKER = /^<!-- ?(?!magis:)\w[\w .:,-]{0,80} ?-->$/;

const policyShape = z.object({
  asks: z.enum(AI_POLICIES),
  /** the sentence that says so, and where it stands; untrusted */
  quote: z.string(),
  path: z.string(),
  /** 1-based */
  line: z.number(),
  /** the trailer that commits are to carry */
  trailer: z.enum(["Assisted-by", "Generated-by"]).optional(),
  /** an HTML comment that the pull request is to hold */
  marker: z.string().regex(POLICY_MARKER).optional(),
});

/** What a repository's documents ask of a change that AI wrote. */
export type AiPolicy = z.infer<typeof policyShape>;

/** Types of conventional commits. */
export const COMMIT_TYPES = ["fix", "feat", "docs", "refactor", "perf", "test", "build", "chore"] as const;

export type CommitType = (typeof COMMIT_TYPES)[number];

const descriptionShape = z.object({
  type: z.enum(COMMIT_TYPES),
  /** the text between type and colon: `(parser)`, `(parser)!`, `!` */
  scope: z.string().optional(),
  /** the commit's subject without its type */
  title: z.string(),
  /** what was wrong or missing, and why */
  problem: z.string(),
});

/** The Manager's words for commit and pull request, if it found them while planning. */
export type PlannedDescription = z.infer<typeof descriptionShape>;

const notesShape = z.object({
  kind: z.enum(["file", "entry"]),
  folder: z.string(),
  /** the newest names of notes in files of their own */
  names: z.array(z.string()).readonly(),
  /** the newest two that stand: a note whole, of a changelog numbered lines below its first headings */
  examples: z
    .array(
      z.object({
        path: z.string(),
        content: z.string(),
        spans: z.array(z.object({ start: z.number(), end: z.number() })).readonly(),
      }),
    )
    .readonly(),
});

/** The notes for users that changes to the code of a repository come with. */
export type NotesView = z.infer<typeof notesShape>;

const viewShape = z.object({
  files: z.array(z.object({ path: z.string(), content: z.string(), size: z.number(), whole: z.boolean() })).readonly(),
  others: z.array(z.object({ path: z.string(), summary: z.string() })).readonly(),
  /** tests that seem to belong to them, with names that they declare; `sample`: lines of it, or "" */
  tests: z.array(z.object({ path: z.string(), names: z.string(), sample: z.string() })).readonly(),
  /** the notes for users that changes to the code come with; null where they are not usual */
  note: notesShape.nullable(),
});

/** What the Manager sees of the repository when it plans the whole work in one go, as lines with their numbers. */
export type PlanningView = z.infer<typeof viewShape>;

const faultLineShape = z.object({ path: z.string(), line: z.number() });

export const planShape = z.object({
  tasks: z.array(taskShape).readonly(),
  order: z.custom<PlanNode>((value) => isPlanNode(value)),
  /** the order as code: the Manager's, or all at once when it wrote none */
  source: z.string(),
  /** why the tasks run one after the other instead, if they do */
  fallback: z.string().optional(),
  /** the kick-off meeting; empty for a team of one */
  meeting: z.array(speechShape).readonly(),
  /** the meeting's summary: what the Developers agreed on; "" for a team of one */
  agreed: z.string(),
  reason: z.string(),
  /** how many files need a change but may not be changed */
  refused: z.number(),
  /** what the author has to answer first; then there are no tasks */
  questions: z.array(z.string()).readonly().optional(),
  /** there are no tasks, although something may have to change: `reason` says why */
  unsolved: z.boolean().optional(),
  /** for the maintainer: similar problems outside the issue */
  notes: z.array(z.string()).readonly().optional(),
  /** where the example goes wrong, in the file before the change */
  at: faultLineShape.optional(),
  /** what the Manager was shown: QA reads it again, from the provider's cache */
  view: viewShape.optional(),
  policy: policyShape.optional(),
  description: descriptionShape.optional(),
});

/** The Manager's work plan (Algorithm 2), or, when it has no tasks, the reason why nothing needs to change. */
export type MadePlan = z.infer<typeof planShape>;

/** A file that the Custodian judged relevant (Algorithm 1), without its content. */
export interface Candidate {
  path: string;
  /** git blob id at the run's commit */
  blob: string;
  score: number;
  /** why it was found, in words */
  reasons: readonly string[];
  summary: string;
  /** the declarations that matter most, as named by the Custodian */
  names?: readonly string[];
  /** `read`: the file is context and need not change; absent: it may have to change */
  use?: "read";
}

/** A plan that waits for a person's approval. */
export interface ProposedPlan {
  tasks: readonly Pick<Task, "id" | "path" | "action" | "title" | "description">[];
  order: PlanNode;
  meeting: readonly Speech[];
  estimate: CostEstimate;
  /** the commit (40 hex digits) and branch that it was made for */
  base: { branch: string; commit: string };
}
