import type { ServerResponse } from "node:http";
import type { ApiError } from "./api-error.ts";

/** Writes `error` in the API's form. */
export function writeError(error: ApiError, requestId: string, response: ServerResponse): void {
  const { type, message } = error;
  if (error.retryAfter !== undefined) response.setHeader("retry-after", String(error.retryAfter));
  response.writeHead(error.status, { "content-type": "application/json", "request-id": requestId });
  response.end(JSON.stringify({ type: "error", error: { type, message }, request_id: requestId }));
}
