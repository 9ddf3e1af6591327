import type { Pool } from "pg";

/** Says that this machine lives. */
export async function heartbeat(pool: Pool, executor: string): Promise<void> {
  await pool.query("INSERT INTO magis.executor (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET seen = now()", [
    executor,
  ]);
}
