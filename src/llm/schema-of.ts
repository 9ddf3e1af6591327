import { z } from "zod";

/** The JSON Schema of a shape, without the bounds that zod gives every whole number: a model reads them for nothing. */
export function schemaOf(shape: z.ZodType): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(shape, {
    target: "draft-2020-12",
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
}
