import type { IncomingMessage } from "node:http";
import type { ApiError } from "./api-error.ts";

const PATHS = new Set(["/v1/messages", "/v1/messages/count_tokens"]);

/** The API's objection before it looks into `body`: address, method, key, version, size. */
export function checkHttp(request: IncomingMessage, path: string, body: unknown): ApiError | undefined {
  if (!PATHS.has(path)) return { status: 404, type: "not_found_error", message: `Not found: ${path}` };
  if (request.method !== "POST") return { status: 405, type: "invalid_request_error", message: "Method Not Allowed" };
  const { authorization, "x-api-key": key, "anthropic-version": version } = request.headers;
  if (!/^Bearer \S+$/.test(authorization ?? "") && (key === undefined || key === "")) {
    return { status: 401, type: "authentication_error", message: "Authorization header is required" };
  }
  if (key === "wrong" || authorization === "Bearer wrong")
    return { status: 401, type: "authentication_error", message: "invalid x-api-key" };
  if (version === undefined) {
    return { status: 400, type: "invalid_request_error", message: "anthropic-version: header is required" };
  }
  if (body !== "too large") return undefined;
  return { status: 413, type: "request_too_large", message: "Request exceeds the maximum size" };
}
