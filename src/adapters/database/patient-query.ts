import { setTimeout as delay } from "node:timers/promises";
import type { Pool, QueryResultRow } from "pg";
import type { Log } from "../../ports/log.ts";
import { isConnectionError } from "./is-connection-error.ts";

const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 5_000;

/**
 * Runs a statement that may be repeated, and waits for as long as the database is away: what was paid for is stored
 * late rather than lost. Gives the rows; throws what the database says about the statement itself, and at once when
 * the pool was closed.
 */
export async function patientQuery<Row extends QueryResultRow>(
  pool: Pool,
  log: Log,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
    try {
      return (await pool.query<Row>(sql, [...values])).rows;
    } catch (error) {
      if (pool.ended || !isConnectionError(error)) throw error;
      log.warn({ error, retryInMs: wait }, "the database does not answer; waiting for it");
      await delay(wait);
    }
  }
}
