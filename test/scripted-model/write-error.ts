import type { ServerResponse } from "node:http";
import type { ApiError } from "./api-error.ts";

/** Writes `error` as the API does. */
export function writeError(error: ApiError, requestId: string, response: ServerResponse): void {
  const { type, message } = error;
  response.writeHead(error.status, {
    "content-type": "application/json",
    "request-id": requestId,
    ...(error.retryAfter === undefined ? {} : { "retry-after": String(error.retryAfter) }),
  });
  response.end(JSON.stringify({ type: "error", error: { type, message }, request_id: requestId }));
}
