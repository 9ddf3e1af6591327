import type { Pool } from "pg";

const TABLES = [
  { name: "magis.model_call", run: "run_id", age: "at" },
  { name: "magis.run_record", run: "run_id", age: "updated_at" },
  { name: "magis.run", run: "id", age: "updated_at" },
] as const;

/** Deletes what we keep of runs (calls, records, states) that ended more than `days` ago. */
export async function deleteOldRecords(pool: Pool, days: number): Promise<void> {
  for (const { name, run, age } of TABLES) {
    await pool.query(
      `DELETE FROM ${name} old WHERE ${age} < now() - $1 * interval '1 day' AND NOT EXISTS (
         SELECT 1 FROM dbos.workflow_status w
          WHERE w.workflow_uuid = old.${run} AND w.status IN ('PENDING', 'ENQUEUED', 'DELAYED'))`,
      [days],
    );
  }
}
