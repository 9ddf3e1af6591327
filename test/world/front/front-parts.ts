import type { Graphql } from "../graphql/create-graphql.ts";
import type { WorldState } from "../state.ts";
import type { Faults } from "./create-faults.ts";

/** The parts of the front. */
export interface FrontParts {
  state: WorldState;
  faults: Faults;
  journal: Exchange[];
  graphql: Graphql;
}

/** One exchange with the world. */
export interface Exchange {
  kind: "git" | "rest" | "graphql";
  method: string;
  /** Without the /api/v3 prefix, with the query. */
  path: string;
  /** 0 if the connection was cut. */
  status: number;
  /** A login, or "?" for an unknown sender. */
  actor: string;
  request?: unknown;
  answer?: unknown;
}
