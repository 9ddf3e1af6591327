import type { Pool } from "pg";
import { QUEUES } from "./names.ts";

const SQL = `
  WITH busy AS (
    SELECT queue_partition_key AS repository FROM dbos.workflow_status
     WHERE queue_name = $1 AND status IN ('ENQUEUED', 'PENDING')),
  first AS (
    SELECT DISTINCT ON (queue_partition_key) workflow_uuid, created_at, queue_partition_key AS repository
      FROM dbos.workflow_status WHERE queue_name = $1 AND status = 'DELAYED'
     ORDER BY queue_partition_key, created_at, workflow_uuid),
  next AS (
    SELECT workflow_uuid FROM first WHERE repository NOT IN (SELECT repository FROM busy)
     ORDER BY created_at, workflow_uuid
     LIMIT GREATEST($2::bigint - (SELECT count(*) FROM busy), 0))
  UPDATE dbos.workflow_status
     SET status = 'ENQUEUED', delay_until_epoch_ms = NULL, updated_at = (EXTRACT(EPOCH FROM now()) * 1000)::bigint
   WHERE workflow_uuid IN (SELECT workflow_uuid FROM next) AND status = 'DELAYED'`;

/**
 * Lets the oldest waiting runs start, as many as there are free places, one a repository. DBOS's queue holds both limits
 * on its own, but it takes the repositories in random order; here the one that waits longest is next.
 */
export async function releaseNextRuns(pool: Pool, concurrency: number): Promise<void> {
  await pool.query(SQL, [QUEUES.runs, concurrency]);
}
