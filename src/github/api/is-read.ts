/** The parts of a request that tell what it does. `query` is there for GraphQL only. */
export interface RequestKind {
  readonly method: string;
  readonly url: string;
  readonly query?: unknown;
}

/** True when the request changes nothing: GET, HEAD, and a GraphQL query, which is sent by POST. */
export function isRead(request: RequestKind): boolean {
  if (request.method === "GET" || request.method === "HEAD") return true;
  return typeof request.query === "string" && /^\s*query\b/.test(request.query);
}
