import type { Pool } from "pg";

const ADOPT = `
  WITH adopted AS (
    UPDATE dbos.workflow_status
       SET application_version = $1, owner_xid = NULL, started_at_epoch_ms = NULL,
           status = CASE WHEN status = 'PENDING' THEN 'ENQUEUED' ELSE status END,
           updated_at = (EXTRACT(EPOCH FROM now()) * 1000)::bigint
     WHERE status IN ('PENDING', 'ENQUEUED', 'DELAYED') AND queue_name IS NOT NULL
       AND application_version IS DISTINCT FROM $1
       AND (status <> 'PENDING' OR executor_id = $3
            OR executor_id NOT IN (SELECT id FROM magis.executor WHERE seen > now() - $2 * interval '1 millisecond'))
    RETURNING workflow_uuid),
  forgotten AS (
    DELETE FROM dbos.operation_outputs WHERE workflow_uuid IN (SELECT workflow_uuid FROM adopted))
  SELECT workflow_uuid AS id FROM adopted`;

/**
 * After an upgrade that changed the order of steps: starts the unfinished work of earlier versions again from its first
 * step, on this version. What the model was paid for is kept elsewhere and not paid again. Work that a living machine of
 * an earlier version is doing is left to it. Gives the ids of what was adopted.
 */
export async function adoptOldVersions(
  pool: Pool,
  version: string,
  deadAfterMs: number,
  executor: string,
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>(ADOPT, [version, deadAfterMs, executor]);
  return rows.map(({ id }) => id);
}
