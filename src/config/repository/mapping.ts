import { z } from "zod";

/** A mapping of known keys; any other key is a fault. */
export function mapping<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const rule = `must be a mapping with ${Object.keys(shape)
    .slice(0, 3)
    .map((key) => `\`${key}\``)
    .join(", ")} …, each on a line of its own, indented alike.`;
  return z.strictObject(shape, { error: ({ code }) => (code === "invalid_type" ? rule : undefined) });
}
