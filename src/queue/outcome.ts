import { isMagisError, MagisError, type MagisErrorCode } from "../data/error.ts";

/**
 * What a step records: its value, or its failure as plain data. DBOS's own record of an error loses its class, and a
 * replayed run would then decide differently. `ms`: how long it took.
 */
export type StepOutcome<T> = ({ value: T } | { failure: StepFailure }) & { ms?: number };

interface StepFailure {
  /** absent for an error that is not a MagisError */
  code?: MagisErrorCode;
  message: string;
  data: Record<string, unknown>;
}

/** What earlier attempts at a piece of work recorded, by the number that DBOS gives a step. */
export type EarlierSteps = ReadonlyMap<number, { name: string; outcome: StepOutcome<unknown> }>;

/** The earlier steps of the work that this process has begun. */
export type EarlierStepsOf = Map<string, EarlierSteps>;

/** An error as plain data; keeps of `data` what JSON can hold. */
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

/** The value of a step, or its failure thrown again: a MagisError with its code and data, or a plain Error. */
export function openOutcome<T>(outcome: StepOutcome<T>): T {
  if ("value" in outcome) return outcome.value;
  const { code, message, data } = outcome.failure;
  throw code === undefined ? new Error(message) : new MagisError(code, message, data);
}
