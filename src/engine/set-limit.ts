import type { Pool } from "pg";
import { QUEUES } from "./names.ts";

/**
 * Sets how many runs go at once in the queue as an earlier start left it: DBOS takes up unfinished runs while it
 * launches, before the queue can be configured through it. Does nothing at the first start.
 */
export async function setLimit(pool: Pool, concurrency: number): Promise<void> {
  const { rows } = await pool.query<{ made: boolean }>("SELECT to_regclass('dbos.queues') IS NOT NULL AS made");
  if (rows[0]?.made !== true) return;
  await pool.query("UPDATE dbos.queues SET concurrency = $2 WHERE name = $1", [QUEUES.runs, concurrency]);
}
