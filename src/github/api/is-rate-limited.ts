import type { HttpFailure } from "./is-http-failure.ts";

/**
 * True for the answers by which GitHub says "later", as opposed to "no".
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
export function isRateLimited(failure: HttpFailure): boolean {
  if (failure.status === 429) return true;
  if (failure.status !== 403) return false;
  const headers = failure.response?.headers ?? {};
  return (
    /\bsecondary rate\b/i.test(failure.message) ||
    String(headers["x-ratelimit-remaining"]) === "0" ||
    headers["retry-after"] !== undefined
  );
}
