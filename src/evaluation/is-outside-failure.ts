import type { RunResult } from "../model/run-result.ts";
import type { RecordedCall } from "../ports/run-store.ts";

const AWAY =
  /^(MODEL_UNAVAILABLE|MODEL_REJECTED|CONFIGURATION_INVALID|PROMPT_INVALID|DATABASE_UNAVAILABLE|GIT_\w+|BLOB_MISSING)$/;

/**
 * Whether a run failed for a reason that says nothing about the instance: the model's service or the mirror was away, or
 * the key was refused before any call succeeded, or a prompt is broken. Such a run is not a result; the instance is run anew another time.
 */
export function isOutsideFailure(result: RunResult, calls: readonly RecordedCall[]): boolean {
  if (result.kind !== "failed" || !AWAY.test(result.code)) return false;
  return result.code !== "MODEL_REJECTED" || calls.every(({ failure }) => failure !== undefined);
}
