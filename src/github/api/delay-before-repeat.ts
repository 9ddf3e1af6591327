import { type HttpFailure, isHttpFailure } from "./is-http-failure.ts";
import { isRead, type RequestKind } from "./is-read.ts";

const BACKOFF_MS = [500, 1000, 2000];
const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/**
 * Milliseconds to wait before the same request is sent again, or undefined when it must not be.
 * A read and a change that ends the same when made twice are repeated after network faults and 5xx;
 * anything that creates is repeated only when it certainly was not carried out.
 * @param attempt 0 for the first failure
 */
export function delayBeforeRepeat(
  error: unknown,
  request: RequestKind,
  attempt: number,
  maxWaitSeconds: number,
): number | undefined {
  const backoff = BACKOFF_MS[attempt];
  if (backoff === undefined || !isHttpFailure(error)) return undefined;
  const pause = unhandledPause(error);
  if (pause !== undefined) return pause <= maxWaitSeconds ? pause * 1000 : undefined;
  const transient = error.response === undefined || [500, 502, 503, 504].includes(error.status);
  if (transient && repeatable(request)) return backoff;
  return wasNeverSent(error) ? backoff : undefined;
}

function repeatable(request: RequestKind): boolean {
  return isRead(request) || ["PATCH", "DELETE"].includes(request.method) || request.url.endsWith("/access_tokens");
}

/** Seconds of a `retry-after` on an answer that the throttling plugin leaves alone: it goes by wording. */
function unhandledPause(failure: HttpFailure): number | undefined {
  const headers = failure.response?.headers ?? {};
  const byPlugin = /\bsecondary rate\b/i.test(failure.message) || String(headers["x-ratelimit-remaining"]) === "0";
  if (byPlugin || ![403, 429].includes(failure.status)) return undefined;
  const seconds = Number(headers["retry-after"]);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** The code stands on the innermost cause: the library wraps what `fetch` wraps. */
function wasNeverSent(failure: HttpFailure): boolean {
  let error: unknown = failure.cause;
  while (typeof error === "object" && error !== null) {
    if ("code" in error && NEVER_SENT.has(String(error.code))) return true;
    error = "cause" in error ? error.cause : undefined;
  }
  return false;
}
