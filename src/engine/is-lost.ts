import { Error as DbosError } from "@dbos-inc/dbos-sdk";

/** True for DBOS's ways to say that a workflow was cancelled or taken over while it was running here. */
export function isLost(error: unknown): error is Error {
  return error instanceof DbosError.DBOSWorkflowConflictError || error instanceof DbosError.DBOSWorkflowCancelledError;
}
