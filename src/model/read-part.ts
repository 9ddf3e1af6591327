import type { z } from "zod";

/** A part of a run's record, read with leniency: what is missing, or no part at all, is as if it were empty. */
export function readPart<T extends z.ZodObject>(shape: T, value: unknown): z.infer<T> {
  const read = shape.safeParse(value);
  return read.success ? read.data : shape.parse({});
}
