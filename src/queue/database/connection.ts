import { setTimeout as delay } from "node:timers/promises";
import type { Pool, QueryResultRow } from "pg";
import type { Log } from "../../data/log.ts";

const FIRST_WAIT_MS = 100;

const MAX_WAIT_MS = 5_000;

/**
 * Runs a repeatable statement, and waits for a database that is away: what was paid for is stored late rather than
 * lost. Gives the rows. Throws errors of the statement itself, and any error once the pool is closed.
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

/** Errors of pg and pg-pool without a code. */
const MESSAGES = [
  /connection (?:terminated|timeout|error)/i,
  /timeout exceeded when trying to connect/i,
  /server closed|not queryable/i,
];

/**
 * True when the database was not there to answer (restarting, unreachable, out of connections), so that the same
 * statement may succeed later. SQLSTATE classes 08, 53 and 57P:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function isConnectionError(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  // node:net tries several addresses and reports all their errors.
  if ("errors" in error && Array.isArray(error.errors) && error.errors.some(isConnectionError)) return true;
  const code = errorCode(error);
  return (
    SQL_STATES.test(code) ||
    NETWORK_CODES.test(code) ||
    ("message" in error && MESSAGES.some((pattern) => pattern.test(String(error.message))))
  );
}

/** The `code` of a system or database error, else "". By shape: tests run in their own realm. */
export function errorCode(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

/**
 * Waits for `work` for at most `ms` milliseconds, and ignores its failure. For a clean end that is only tried:
 * everything committed is safe already.
 */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}

/** Prepare statements used this often; not those used once, such as migrations. */
const KEPT_FROM = 3;

/** More texts than these are made at run time; keeping them would only fill the memory. */
const MAX_KEPT = 500;

let sessions = 0;

interface Statement {
  text: string;
  values: unknown;
  name?: string;
}

/**
 * Names a client's repeated statements, so that PostgreSQL keeps them parsed and planned: two thirds of the cost of
 * most statements in WebAssembly. Others stay as they are.
 */
export function createStatementNames(): (query: unknown, values: unknown) => unknown {
  sessions += 1;
  const session = sessions;
  const asked = new Map<string, { name: string; count: number }>();
  return (query, values) => {
    const given = typeof query === "string" ? { text: query, values } : (query as Statement);
    const { values: bound } = given;
    if (!Array.isArray(bound) || bound.length === 0 || given.name !== undefined || "submit" in given) return query;
    const known = asked.get(given.text) ?? { name: `magis_${session}_${asked.size}`, count: 0 };
    if (known.count === 0 && asked.size >= MAX_KEPT) return query;
    known.count += 1;
    asked.set(given.text, known);
    return known.count < KEPT_FROM ? query : { ...given, name: known.name };
  };
}
