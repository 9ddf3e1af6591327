/** One exchange with the world, in the order they ended. */
export interface Exchange {
  kind: "git" | "rest" | "graphql";
  method: string;
  /** Without the /api/v3 prefix, with the query. */
  path: string;
  /** 0 when the connection was cut. */
  status: number;
  /** A login; "?" when the sender was not known. */
  actor: string;
  request?: unknown;
  answer?: unknown;
}
