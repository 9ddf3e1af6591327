import type { Pool } from "pg";

const SQL = `
  UPDATE dbos.workflow_status
     SET status = 'ENQUEUED', owner_xid = NULL, started_at_epoch_ms = NULL,
         updated_at = (EXTRACT(EPOCH FROM now()) * 1000)::bigint
   WHERE status = 'PENDING' AND queue_name IS NOT NULL AND application_version = $1 AND executor_id <> $3
     AND executor_id NOT IN (SELECT id FROM magis.executor WHERE seen > now() - $2 * interval '1 millisecond')
  RETURNING workflow_uuid AS id, executor_id AS executor`;

/**
 * Gives the work of machines that have not been heard of for `deadAfterMs` back to the queue. A machine that only slept
 * is fenced: it owns nothing any more; nor does it take its own work from itself when it wakes. Gives what was taken over.
 */
export async function takeOver(
  pool: Pool,
  version: string,
  deadAfterMs: number,
  executor: string,
): Promise<readonly { id: string; executor: string }[]> {
  const { rows } = await pool.query<{ id: string; executor: string }>(SQL, [version, deadAfterMs, executor]);
  await pool.query("DELETE FROM magis.executor WHERE seen < now() - interval '1 day'");
  return rows;
}
