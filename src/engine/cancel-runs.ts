import { DBOS } from "@dbos-inc/dbos-sdk";
import { MagisError } from "../model/magis-error.ts";
import type { RunRequest } from "../model/run-request.ts";
import type { Suspension } from "./create-suspension.ts";
import { within } from "./within.ts";

/** How long the work of a cancelled run may take to come to rest before its end is told all the same. */
const REST_WITHIN_MS = 2_000;

/** Ends runs on this machine at once and on others at their next heartbeat; returns when their work here has come to rest. */
export async function cancelRuns(suspension: Suspension, requests: readonly RunRequest[]): Promise<void> {
  for (const { id } of requests) {
    await DBOS.cancelWorkflow(id);
    suspension.active.get(id)?.lose(new MagisError("RUN_CANCELLED", "The run was cancelled."));
    await within(REST_WITHIN_MS, suspension.rest(id), () => undefined);
  }
}
