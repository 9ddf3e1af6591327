import { MagisError } from "../model/magis-error.ts";
import type { StepOutcome } from "./step-outcome.ts";

/** The value of a step, or its failure thrown again: a MagisError with its code and data, or a plain Error. */
export function openOutcome<T>(outcome: StepOutcome<T>): T {
  if ("value" in outcome) return outcome.value;
  const { code, message, data } = outcome.failure;
  throw code === undefined ? new Error(message) : new MagisError(code, message, data);
}
