import { z } from "zod";

/** A text of the given form. */
export function textMatching(rule: string, form: RegExp) {
  return z.string({ error: rule }).regex(form, { error: rule });
}
