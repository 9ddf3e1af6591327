import { z } from "zod";

// The shapes of structured answers. Providers drop limits from the schema; they are checked when the answer is read.

const text = z.string().trim().min(1);

/** P3 */
export const RelevanceShape = z.object({
  files: z.array(z.object({ path: z.string(), reason: z.string(), relevant: z.boolean() })),
});

/** P1 to P3 together */
export const ShortlistShape = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      verdict: z.enum(["change", "read", "no"]),
      reason: z.string(),
      names: z.array(z.string()),
      summary: z.string(),
    }),
  ),
  more: z.array(
    z.object({ path: z.string(), verdict: z.enum(["change", "read"]), reason: z.string(), names: z.array(z.string()) }),
  ),
});

/** P4 */
export const TaskDefinitionShape = z.object({
  needed: z.boolean().describe("whether this file must change"),
  reason: z.string().describe("why, or why not"),
  action: z.enum(["modify", "delete"]),
  title: z.string().describe("one line; empty when no task is needed"),
  description: z.string().describe("the task; empty when none is needed"),
  newFiles: z.array(z.object({ path: text, title: text, description: text })),
});

/** P5, P6, P8 */
export const RoleShape = z.object({ title: text, description: text });

const CommitType = z.enum(["fix", "feat", "docs", "refactor", "perf", "test", "build", "chore"]);
const TaskShape = z.object({
  path: text,
  action: z.enum(["modify", "create", "delete"]),
  title: text.describe("one line"),
  description: text,
});

const EditShape = z.object({ start: z.int(), end: z.int(), anchor: z.string(), text: z.string() });

/** P4, P5 and P7 together, and short changes themselves */
export const WorkPlanShape = z.object({
  reason: text,
  tasks: z.array(
    TaskShape.extend({
      places: z.array(z.object({ path: text, start: z.int(), end: z.int() })),
      developer: RoleShape,
      edits: z.array(EditShape),
      summary: z.string().describe('what the edits do; "" without edits'),
    }),
  ),
  order: z.string().describe('the plan as code; "" without a task'),
  agreed: z.string(),
  type: CommitType,
  title: z.string().describe("empty without a task"),
  problem: z.string().describe("empty without a task"),
});

/** The end of the kick-off meeting */
export const MeetingSummaryShape = z.object({
  summary: text,
  revised: z.array(z.object({ id: z.string(), description: text })),
  dropped: z.array(z.string()),
  added: z.array(TaskShape),
});

/** Comments on the pull request: what is said to each, and what is done */
export const CommentAssignmentShape = z.object({
  replies: z.array(z.object({ comment: z.string(), reply: text })),
  tasks: z.array(TaskShape.extend({ comments: z.array(z.string()) })),
});

/** P9 */
export const LocationShape = z.object({
  intervals: z.array(z.object({ start: z.int(), end: z.int(), change: z.string() })),
  summary: z.string(),
  replies: z.array(z.object({ comment: z.string(), reply: z.string() })),
});

/** P8, P9 and P10 together */
export const FileChangeShape = z.object({
  edits: z.array(EditShape),
  summary: z.string(),
  replies: z.array(z.object({ comment: z.string(), reply: z.string() })),
  qaEngineer: RoleShape,
});

/** P11 for the change as a whole */
export const WorkReviewShape = z.object({
  comments: z.array(z.object({ path: text, line: z.int().nullable(), body: text })),
  missing: z.array(TaskShape),
  settled: z.array(z.string()),
  verdict: z.string(),
  approved: z.boolean(),
});

/** P11: comment and decision */
export const ReviewShape = z.object({
  comments: z.array(z.object({ line: z.int().nullable(), body: text })),
  settled: z.array(z.string()),
  verdict: z.string(),
  approved: z.boolean(),
});

/** The repair of failing checks */
export const RepairShape = z.object({
  repairable: z.boolean(),
  reason: text,
  title: z.string().describe("empty when nothing is to be done"),
  tasks: z.array(TaskShape),
});

/** The repository's pull request template */
export const FilledTemplateShape = z.object({ template: text });

/** The pull request's words */
export const ChangeDescriptionShape = z.object({
  type: CommitType,
  title: text,
  problem: text,
  solution: text,
  template: z.string().describe("the filled-in template; empty when there is none"),
});
