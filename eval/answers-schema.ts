import { z } from "zod";

/** Lines `start` to `end` of the base file, from 1 and inclusive, become `text`; before line n: start n, end n - 1. */
const editSchema = z.object({ start: z.int().min(1), end: z.int().min(0), text: z.string() });

const task = { title: z.string(), description: z.string(), summary: z.string() };

/**
 * What a scripted model answers for an instance, file by file. `expect` says whether these answers resolve it: some
 * are honestly wrong or partial, so that reports have both. `reason` says why nothing changes, where nothing does.
 */
export const answersSchema = z.object({
  expect: z.enum(["resolved", "unresolved"]),
  reason: z.string(),
  files: z.record(
    z.string(),
    z.discriminatedUnion("action", [
      z.object({ action: z.literal("modify"), ...task, edits: z.array(editSchema).min(1) }),
      z.object({ action: z.literal("create"), ...task, content: z.string() }),
      z.object({ action: z.literal("delete"), ...task }),
    ]),
  ),
});

export type SmokeAnswers = z.infer<typeof answersSchema>;
