import { z } from "zod";

/** The judge's answer: the paper's score (section 4.4) of the tasks against the reference change. */
export const CorrelationShape = z.object({
  reason: z.string().trim().min(1).describe("what the tasks share with the reference change, and what not"),
  score: z.int().min(1).max(5),
});
