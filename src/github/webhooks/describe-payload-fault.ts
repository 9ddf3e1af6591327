import type { z } from "zod";

/** Where a payload is not as expected; only the fields' names, since their values are not trusted. */
export function describePayloadFault(error: z.ZodError): string {
  const fields = error.issues.map((issue) => issue.path.join("."));
  return `The payload is not of use here: ${fields.join(", ")}.`;
}
