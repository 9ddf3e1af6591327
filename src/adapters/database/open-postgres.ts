import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { MagisError } from "../../model/magis-error.ts";
import type { Log } from "../../ports/log.ts";
import { atMost } from "./at-most.ts";
import type { Database } from "./database.ts";
import { isConnectionError } from "./is-connection-error.ts";
import { migrationLock } from "./migration-lock.ts";

const PATIENCE_MS = 30_000;
const POLL_MS = 500;
const CLOSE_WITHIN_MS = 2_000;

/**
 * Connects to a PostgreSQL server, which may still be starting. Sessions are used directly or through a pooler in
 * session mode; a pooler in transaction mode breaks advisory locks.
 * Throws DATABASE_UNAVAILABLE when it does not answer within `patienceMs` milliseconds, or refuses us.
 */
export async function openPostgres(url: string, log: Log, patienceMs = PATIENCE_MS): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 10_000,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    application_name: "magis",
  });
  // Without a listener the loss of an idle connection would end the process.
  pool.on("error", (error) => log.warn({ error }, "a database connection was lost; it is made again when needed"));
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      await pool.query("SELECT 1");
      const close = () => atMost(CLOSE_WITHIN_MS, pool.end());
      return { kind: "postgres", pool, migrate: (body) => migrationLock(pool, body), serve: () => undefined, close };
    } catch (error) {
      if (isConnectionError(error) && Date.now() < deadline) {
        await delay(POLL_MS);
        continue;
      }
      await pool.end();
      const reason = error instanceof Error ? error.message : String(error);
      throw new MagisError("DATABASE_UNAVAILABLE", `The database of DATABASE_URL cannot be used: ${reason}`, {}, error);
    }
  }
}
