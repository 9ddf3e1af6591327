import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSchema, type GraphQLSchema, graphql } from "graphql";
import { projectRoot } from "../project-root.ts";
import type { Actor, Fields, WorldState } from "../state.ts";
import { commitMutation } from "./commit-mutation.ts";
import { pullMutations } from "./pull-mutations.ts";
import { queryRoot } from "./query-root.ts";
import { threadMutations } from "./thread-mutations.ts";

export interface GraphqlAnswer {
  data?: unknown;
  errors?: Fields[];
}

export type Graphql = (state: WorldState, actor: Actor, body: Fields) => Promise<GraphqlAnswer>;

let schema: GraphQLSchema | undefined;

/** Executes GraphQL on GitHub's own schema, so that unknown fields and inputs are errors here too. */
export function createGraphql(): Graphql {
  return async (state, actor, { query, variables, operationName }) => {
    schema ??= readSchema();
    const { data, errors } = await graphql({
      schema,
      source: String(query),
      variableValues: variables as Fields | undefined,
      operationName: operationName as string | undefined,
      rootValue: {
        ...queryRoot(state, actor),
        ...threadMutations(state, actor),
        ...pullMutations(state, actor),
        ...commitMutation(state, actor),
      },
    });
    const failed = errors?.map(({ message, path, locations, extensions }) => ({
      type: extensions.type,
      path,
      locations: locations ?? [],
      message,
    }));
    return { data, errors: failed };
  };
}

function readSchema(): GraphQLSchema {
  const file = join(projectRoot(), "node_modules/@octokit/graphql-schema/schema.graphql");
  return buildSchema(readFileSync(file, "utf8"), { assumeValid: true, noLocation: true });
}
