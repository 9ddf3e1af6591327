import { z } from "zod";

const NAME = /^[\w.-]{1,100}$/;

const forgetShape = z.object({
  command: z.literal("forget"),
  owner: z.string().regex(NAME),
  name: z.string().regex(NAME),
});
const showShape = z.object({
  command: z.literal("show"),
  /** a run's id, or `OWNER/REPO#N` for the latest run of an issue or pull request; absent: a list of the latest runs */
  run: z.string().min(1).max(1000).optional(),
});

/** What a command asks to be done. Plain data without secrets: it may go to the running bot. */
export const commandRequestShape = z.discriminatedUnion("command", [forgetShape, showShape]);

const runSummaryShape = z.object({
  id: z.string(),
  repository: z.string(),
  number: z.number().optional(),
  title: z.string(),
  requestedAt: z.string(),
  end: z.string().optional(),
  pullRequest: z.number().optional(),
  money: z.number(),
});

/**
 * What became of it. Of `forget`: `versions` is how many were forgotten. Of `show`: `report` is a RunReport, which may be
 * of another version and is read with leniency, or null when no such run is kept; or `runs`, the latest first.
 */
export const commandAnswerShape = z.union([
  z.object({ versions: z.int().nonnegative() }),
  z.object({ report: z.record(z.string(), z.unknown()).nullable() }),
  z.object({ runs: z.array(runSummaryShape) }),
  z.object({ fault: z.string() }),
]);

export type CommandRequest = z.infer<typeof commandRequestShape>;
export type CommandAnswer = z.infer<typeof commandAnswerShape>;
export type ShownSummary = z.infer<typeof runSummaryShape>;
