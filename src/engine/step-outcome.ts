import type { MagisErrorCode } from "../model/magis-error.ts";

/**
 * What a step leaves in the database: its value, or why it failed, as plain data. DBOS's own record of an error loses
 * its class, and a replayed run would then decide otherwise than the first one did.
 */
export type StepOutcome<T> = { readonly value: T } | { readonly failure: StepFailure };

export interface StepFailure {
  /** absent for an error that is none of ours */
  readonly code?: MagisErrorCode;
  readonly message: string;
  readonly data: Record<string, unknown>;
}
