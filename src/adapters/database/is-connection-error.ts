import { errorCode } from "./error-code.ts";

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
