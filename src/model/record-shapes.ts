import { z } from "zod";
import { lenient } from "./lenient.ts";

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
