import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import { MagisError } from "../../data/error.ts";
import type { Log } from "../../data/log.ts";
import type { Database } from "../database.ts";
import { atMost, errorCode, isConnectionError } from "./connection.ts";
import { migrateTables } from "./migrations.ts";

export interface DatabaseOptions {
  /** a PostgreSQL URL; absent: the embedded database */
  url?: string | undefined;
  /** where the embedded database keeps its files; made when missing, not used with `url` */
  dataDir: string;
  log: Log;
  /** how long to wait for a PostgreSQL server, in milliseconds; default 30 s */
  patienceMs?: number;
}

/**
 * Opens the database and makes our tables. One process may hold an embedded database at a time.
 * Throws DATA_DIRECTORY_IN_USE, DATABASE_UNAVAILABLE.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const database = await openAsItIs(options);
  try {
    await database.migrate(() => migrateTables(database.pool));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens the database with the tables that it has; otherwise as `openDatabase`. */
export async function openAsItIs({ url, dataDir, log, patienceMs }: DatabaseOptions): Promise<Database> {
  if (url !== undefined) return openPostgres(url, log, patienceMs);
  const { openEmbedded } = await import("./open-embedded.ts");
  return openEmbedded(dataDir, log);
}

const PATIENCE_MS = 30_000;

const POLL_MS = 500;

const CLOSE_WITHIN_MS = 2_000;

/**
 * Connects to a PostgreSQL server, which may still be starting. Sessions are used directly or through a pooler in
 * session mode; a pooler in transaction mode breaks advisory locks.
 * Throws DATABASE_UNAVAILABLE when it does not answer within `patienceMs` milliseconds, or refuses us.
 */
async function openPostgres(url: string, log: Log, patienceMs = PATIENCE_MS): Promise<Database> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 10_000,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    application_name: "magis",
  });
  // Without a listener losing an idle connection would end the process.
  pool.on("error", (error) => log.warn({ error }, "lost a database connection; reconnecting when needed"));
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      await pool.query("SELECT 1");
      const close = () => atMost(CLOSE_WITHIN_MS, pool.end());
      return {
        kind: "postgres",
        pool,
        migrate: (body) => migrationLock(pool, body),
        // The disk is the server's: a write without room fails.
        hasRoom: async () => true,
        serve: () => undefined,
        close,
      };
    } catch (error) {
      if (isConnectionError(error) && performance.now() < deadline) {
        await delay(POLL_MS);
        continue;
      }
      await pool.end();
      // An error over several addresses has no message of its own.
      const reason = (error instanceof Error && error.message) || errorCode(error) || "it failed";
      throw new MagisError("DATABASE_UNAVAILABLE", `The database of DATABASE_URL cannot be used: ${reason}`, {}, error);
    }
  }
}

const LOCK = 7_264_127;

const LOCK_POLL_MS = 200;

/**
 * Runs `body` while no other machine migrates the same PostgreSQL: DBOS migrates without a lock, and two first starts
 * on one empty database break its schema for good. It polls, because a session that waits inside pg_advisory_lock()
 * holds a snapshot for which DBOS's CREATE INDEX CONCURRENTLY would wait for ever.
 */
async function migrationLock<T>(pool: Pool, body: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let lost: Error | undefined;
  const onError = (error: Error) => {
    lost = error;
  };
  client.on("error", onError);
  try {
    const tryLock = async () =>
      (await client.query<{ got: boolean }>("SELECT pg_try_advisory_lock($1) AS got", [LOCK])).rows[0]?.got;
    while (!(await tryLock())) await delay(LOCK_POLL_MS);
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
