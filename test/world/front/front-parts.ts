import type { Graphql } from "../graphql/create-graphql.ts";
import type { WorldState } from "../state.ts";
import type { Faults } from "./create-faults.ts";
import type { Exchange } from "./exchange.ts";

/** The parts of the front. */
export interface FrontParts {
  state: WorldState;
  faults: Faults;
  journal: Exchange[];
  graphql: Graphql;
}
