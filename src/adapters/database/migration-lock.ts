import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";

const LOCK = 7_264_127;
const POLL_MS = 200;

/**
 * Runs `body` while no other machine migrates the same PostgreSQL: DBOS migrates without a lock, and two first starts
 * on one empty database break its schema for good. It polls, because a session that waits inside pg_advisory_lock()
 * holds a snapshot for which DBOS's CREATE INDEX CONCURRENTLY would wait for ever.
 */
export async function migrationLock<T>(pool: Pool, body: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let lost: Error | undefined;
  const onError = (error: Error) => {
    lost = error;
  };
  client.on("error", onError);
  try {
    const tryLock = async () =>
      (await client.query<{ got: boolean }>("SELECT pg_try_advisory_lock($1) AS got", [LOCK])).rows[0]?.got;
    while (!(await tryLock())) await delay(POLL_MS);
    const result = await body();
    await client.query("SELECT pg_advisory_unlock($1)", [LOCK]);
    return result;
  } catch (error) {
    lost ??= error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.removeListener("error", onError);
    // A broken or still locked session is closed, which frees the lock.
    client.release(lost);
  }
}
