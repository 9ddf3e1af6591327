import { z } from "zod";
import { environmentSchema } from "./environment-schema.ts";

/** One variable as the documentation shows it. */
export interface VariableNote {
  readonly name: string;
  readonly required: boolean;
  /** as it would be written; absent when there is none */
  readonly fallback?: string;
  readonly about: string;
}

/** The documentation of every variable, in the order of the schema. */
export function listVariables(): readonly VariableNote[] {
  return Object.entries(environmentSchema.shape).map(([name, shape]) => {
    const fallback = shape instanceof z.ZodPrefault ? String(shape.def.defaultValue) : "";
    return {
      name,
      required: !(shape instanceof z.ZodPrefault || shape instanceof z.ZodOptional),
      ...(fallback === "" ? {} : { fallback }),
      about: shape.description ?? "",
    };
  });
}
