import { DBOS, Error as DbosError } from "@dbos-inc/dbos-sdk";
import type { Pool } from "pg";
import type { RunRequest } from "../model/run-request.ts";
import type { Log } from "../ports/log.ts";
import { QUEUES, UNFINISHED, WORKFLOWS } from "./engine.ts";
import { WATCHED_DAYS } from "./pull-watch.ts";

const DAY_MS = 24 * 3_600_000;

const BATCH = 200;

/** Deletes runs and deliveries that ended more than `days` ago, with all that is kept of them. */
export async function deleteOldRuns(pool: Pool, days: number): Promise<void> {
  // A clock that was set forward while we work deletes nothing before its time.
  const now = Math.min(Date.now(), performance.timeOrigin + performance.now());
  const completedBefore = new Date(now - days * DAY_MS).toISOString();
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
  // The watch over pull requests may come upon what was said for as long as it looks.
  const heardBefore = new Date(now - Math.max(days, WATCHED_DAYS) * DAY_MS).toISOString();
  await pool.query("DELETE FROM magis.delivery_digest WHERE at < $1::timestamptz", [heardBefore]);
  await deleteOldRecords(pool, completedBefore);
}

const REASON = "MAGIS was stopped in the middle of this run too often and gave it up.";

/**
 * Finds the runs that DBOS gave up (their process died too often) and has each reported once, by a workflow of its own
 * whose id any number of machines agree on. `reported` remembers what needs no second look.
 */
export async function reportAbandoned(
  abandon: (request: RunRequest, reason: string) => Promise<void>,
  reported: Set<string>,
  log: Log,
): Promise<void> {
  const runs = await DBOS.listWorkflows({
    workflowName: WORKFLOWS.resolve,
    status: "MAX_RECOVERY_ATTEMPTS_EXCEEDED",
    loadOutput: false,
  });
  for (const { workflowID, input } of runs) {
    if (reported.has(workflowID)) continue;
    const request = input?.[0] as RunRequest;
    try {
      await DBOS.startWorkflow(abandon, {
        workflowID: `abandon:${workflowID}`,
        workflowIDReusePolicy: "reject",
        queueName: QUEUES.ends,
      })(request, REASON);
      log.error({ run: workflowID }, "a run was given up: its process died too often in the middle of it");
    } catch (error) {
      if (!DbosError.isWorkflowIDInUseError(error)) throw error;
    }
    reported.add(workflowID);
  }
}

const TABLES = [
  { name: "magis.model_call", run: "run_id", age: "at" },
  { name: "magis.run_record", run: "run_id", age: "updated_at" },
  { name: "magis.run", run: "id", age: "updated_at" },
] as const;

/** Deletes what we keep of runs (calls, records, states) that ended before a time. */
async function deleteOldRecords(pool: Pool, before: string): Promise<void> {
  for (const { name, run, age } of TABLES) {
    await pool.query(
      `DELETE FROM ${name} old WHERE ${age} < $1::timestamptz AND NOT EXISTS (
         SELECT 1 FROM dbos.workflow_status w
          WHERE w.workflow_uuid = old.${run} AND w.status = ANY($2))`,
      [before, UNFINISHED],
    );
  }
}
