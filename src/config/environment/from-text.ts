import { z } from "zod";

/**
 * The shape of a variable whose text is read by `parse`; undefined from it is a fault said as `rule`, a sentence
 * without its subject (the variable's name is put before it). The value is not repeated in the message: people
 * paste keys into the wrong line.
 */
export function fromText<T>(rule: string, parse: (text: string) => T | undefined) {
  return z.string({ error: "is missing." }).transform((text, context): T => {
    const value = parse(text.trim());
    if (value !== undefined) return value;
    context.addIssue({ code: "custom", message: rule });
    return z.NEVER;
  });
}
