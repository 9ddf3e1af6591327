import { z } from "zod";

/** How an instance is graded: what runs in a checkout, what it needs on the PATH, how its output reads. */
const gradeSchema = z.object({
  command: z.array(z.string()).min(1),
  needs: z.array(z.string()),
  report: z.enum(["tap", "unittest"]),
});

/**
 * One instance in SWE-bench's field names, with `language`, `kind` and `grade` added: the official harness knows how
 * to run its own repositories, these small ones say it themselves.
 */
export const instanceSchema = z.object({
  instance_id: z.string(),
  repo: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  language: z.string(),
  kind: z.string(),
  version: z.string(),
  created_at: z.string(),
  base_commit: z.string(),
  problem_statement: z.string().min(1),
  hints_text: z.string(),
  patch: z.string(),
  test_patch: z.string(),
  FAIL_TO_PASS: z.array(z.string()),
  PASS_TO_PASS: z.array(z.string()),
  grade: gradeSchema,
});

export type GradeRecipe = z.infer<typeof gradeSchema>;
export type EvalInstance = z.infer<typeof instanceSchema>;
