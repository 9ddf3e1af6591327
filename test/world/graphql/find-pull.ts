import { renderPull } from "../pulls/render-pull.ts";
import type { RepositoryState, WorldState } from "../state.ts";
import { graphqlFailure } from "./graphql-failure.ts";

/** The pull request with a GraphQL id. Throws NOT_FOUND. */
export async function findPull(state: WorldState, id: string): Promise<{ repo: RepositoryState; number: number }> {
  for (const repo of state.repositories.values())
    for (const number of repo.pulls.keys())
      if ((await renderPull(state, repo, number)).node_id === id) return { repo, number };
  throw graphqlFailure("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'.`);
}
