import { MagisError } from "./magis-error.ts";

/** RUN_CANCELLED: the caller gave the run up. */
export function cancelled(): MagisError {
  return new MagisError("RUN_CANCELLED", "The run was cancelled.");
}
