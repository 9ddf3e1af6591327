import { z } from "zod";

/** What a command asks to be done. Plain data without secrets: it may go to the running bot. */
export const commandRequestShape = z.object({
  command: z.literal("forget"),
  owner: z.string().regex(/^[\w.-]{1,100}$/),
  name: z.string().regex(/^[\w.-]{1,100}$/),
});

/** What became of it: `versions` is how many were forgotten. */
export const commandAnswerShape = z.union([
  z.object({ versions: z.int().nonnegative() }),
  z.object({ fault: z.string() }),
]);

export type CommandRequest = z.infer<typeof commandRequestShape>;
export type CommandAnswer = z.infer<typeof commandAnswerShape>;
