import type { Pool } from "pg";

const SQL = `
  UPDATE dbos.workflow_status
     SET status = 'ENQUEUED', owner_xid = NULL, started_at_epoch_ms = NULL,
         recovery_attempts = GREATEST(recovery_attempts - 1, 0),
         updated_at = (EXTRACT(EPOCH FROM now()) * 1000)::bigint
   WHERE status = 'PENDING' AND executor_id = $1 AND queue_name IS NOT NULL`;

/**
 * Gives the unfinished work of a process that stops properly back to the queue, for another machine or the next start.
 * It does not count as a failed attempt.
 */
export async function giveBack(pool: Pool, executor: string): Promise<void> {
  await pool.query(SQL, [executor]);
  await pool.query("DELETE FROM magis.executor WHERE id = $1", [executor]);
}
