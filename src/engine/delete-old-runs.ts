import { DBOS } from "@dbos-inc/dbos-sdk";
import type { Pool } from "pg";
import { deleteOldRecords } from "./delete-old-records.ts";

const DAY_MS = 24 * 3_600_000;
const BATCH = 200;

/** Deletes runs and deliveries that ended more than `days` ago, with all that is kept of them. */
export async function deleteOldRuns(pool: Pool, days: number): Promise<void> {
  const completedBefore = new Date(Date.now() - days * DAY_MS).toISOString();
  for (;;) {
    const ended = await DBOS.listWorkflows({
      status: ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"],
      completedBefore,
      limit: BATCH,
      loadInput: false,
      loadOutput: false,
    });
    if (ended.length === 0) break;
    await DBOS.deleteWorkflows(ended.map(({ workflowID }) => workflowID));
  }
  await deleteOldRecords(pool, days);
}
