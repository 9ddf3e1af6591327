import { z } from "zod";

/** The value of an answer, or a reason that the model can act on. */
export type ReadAnswer<T> = { readonly value: T } | { readonly reason: string };

const ONE_OBJECT = "Answer with one JSON object of the given shape and nothing else.";

/**
 * Reads a structured answer from text. The provider's schema loses limits on the way, and some gateways ignore it, so the
 * text may be fenced or have words around it, and is always checked again. `remedy`: how the answer is to be given.
 */
export function readText<T>(text: string, shape: z.ZodType<T>, remedy = ONE_OBJECT): ReadAnswer<T> {
  if (text.trim() === "") return { reason: `There is no answer. ${remedy}` };
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (start < 0 || end < start) return { reason: `The answer holds no JSON object. ${remedy}` };
  let data: unknown;
  try {
    data = JSON.parse(text.slice(start, end + 1));
  } catch (error) {
    return { reason: `The answer is not valid JSON (${(error as Error).message}). ${remedy}` };
  }
  return readValue(data, shape);
}

/** Checks what an answer says. */
export function readValue<T>(data: unknown, shape: z.ZodType<T>): ReadAnswer<T> {
  const parsed = shape.safeParse(data);
  if (parsed.success) return { value: parsed.data };
  return { reason: `The answer does not have the given shape:\n${z.prettifyError(parsed.error)}` };
}

/** The JSON Schema of a shape, without the bounds of every whole number and every text: a model reads them for nothing. */
export function schemaOf(shape: z.ZodType): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(shape, {
    target: "draft-2020-12",
    override: ({ jsonSchema }) => {
      if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
}
