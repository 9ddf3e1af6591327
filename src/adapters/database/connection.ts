import { setTimeout as delay } from "node:timers/promises";
import type { Pool, QueryResultRow } from "pg";
import type { Log } from "../../ports/log.ts";

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

const SQL_STATES = /^(08|53|57P|25P03)/;

const NETWORK_CODES = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)/;

/** pg and pg-pool give these no code. */
const MESSAGES =
  /connection terminated|connection timeout|timeout exceeded when trying to connect|server closed|not queryable|connection error/i;

/**
 * True when the database was not there to answer (restarting, unreachable, out of connections), so that the same
 * statement may succeed later. SQLSTATE classes 08, 53 and 57P: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function isConnectionError(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  // node:net tries several addresses and gives all their errors.
  if ("errors" in error && Array.isArray(error.errors) && error.errors.some(isConnectionError)) return true;
  const code = errorCode(error);
  return (
    SQL_STATES.test(code) || NETWORK_CODES.test(code) || ("message" in error && MESSAGES.test(String(error.message)))
  );
}

/** The `code` of a system or database error, else an empty string. By shape: tests run in a realm of their own. */
export function errorCode(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

/**
 * Waits for `work`, but no longer than `ms` milliseconds; a failure is none. For a clean end that is tried, not waited
 * for: everything committed is safe already.
 */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
