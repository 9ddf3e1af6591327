import { isMagisError } from "../model/magis-error.ts";
import type { StepFailure } from "./step-outcome.ts";

/** An error as plain data; of `data` what JSON can hold. */
export function stepFailure(error: unknown): StepFailure {
  if (!isMagisError(error)) return { message: error instanceof Error ? error.message : String(error), data: {} };
  return { code: error.code, message: error.message, data: plain(error.data) };
}

function plain(data: Record<string, unknown>): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
