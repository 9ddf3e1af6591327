import { z } from "zod";

/**
 * Shapes for records that older or newer versions have written: what is missing or of another type is taken as absent
 * or empty, and nothing is refused.
 */
export const lenient = {
  text: z.string().catch(""),
  number: z.number().catch(0),
  truth: z.boolean().catch(false),
  /** undefined unless it fits */
  maybe: <T extends z.ZodType>(shape: T) => shape.optional().catch(undefined),
  /** the elements that fit */
  list: <T extends z.ZodType>(shape: T) =>
    z
      .array(z.unknown())
      .catch([])
      .transform((items) =>
        items.flatMap((item) => {
          const parsed = shape.safeParse(item);
          return parsed.success ? [parsed.data] : [];
        }),
      ),
};
