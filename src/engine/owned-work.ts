import type { Pool } from "pg";

/** The ids of the workflows that this machine owns by the database's word. */
export async function ownedWork(pool: Pool, executor: string): Promise<ReadonlySet<string>> {
  const sql = "SELECT workflow_uuid AS id FROM dbos.workflow_status WHERE status = 'PENDING' AND executor_id = $1";
  const { rows } = await pool.query<{ id: string }>(sql, [executor]);
  return new Set(rows.map(({ id }) => id));
}
