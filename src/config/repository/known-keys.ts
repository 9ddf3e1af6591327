import { z } from "zod";
import { settingsSchema } from "./settings-schema.ts";

/** The keys that may stand in the mapping at `path`; none when there is no mapping of known keys. */
export function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  let shape: z.core.$ZodType | undefined = settingsSchema;
  for (const step of path) {
    if (!(shape instanceof z.ZodObject)) return [];
    shape = shape.shape[String(step)];
    while (shape instanceof z.ZodDefault || shape instanceof z.ZodOptional) shape = shape.unwrap();
  }
  return shape instanceof z.ZodObject ? Object.keys(shape.shape) : [];
}
