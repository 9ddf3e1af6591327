import { z } from "zod";

/**
 * Reads a structured answer. The provider's schema loses limits on the way, and some gateways ignore it, so the text
 * may be fenced or have words around it, and is always checked again.
 * Gives the value, or a reason that the model can act on.
 */
export function parseAnswer<T>(text: string, shape: z.ZodType<T>): { value: T } | { reason: string } {
  if (text.trim() === "") {
    return {
      reason: "There is no answer, and no tool can be called any more. Give the JSON object now, with what you know.",
    };
  }
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (start < 0 || end < start)
    return {
      reason: "The answer holds no JSON object. Answer with one JSON object of the given shape and nothing else.",
    };
  let data: unknown;
  try {
    data = JSON.parse(text.slice(start, end + 1));
  } catch (error) {
    return {
      reason: `The answer is not valid JSON (${(error as Error).message}). Answer with one JSON object of the given shape and nothing else.`,
    };
  }
  const parsed = shape.safeParse(data);
  if (parsed.success) return { value: parsed.data };
  return { reason: `The answer does not have the given shape:\n${z.prettifyError(parsed.error)}` };
}
