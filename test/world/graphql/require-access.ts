import { GraphQLError } from "graphql";
import { authorise, type RequiredAccess } from "../front/authorise.ts";
import { renderPull } from "../pulls/render-pull.ts";
import type { Actor, RepositoryState, Thread, WorldState } from "../state.ts";

/** Throws FORBIDDEN unless `actor` has the access, or NOT_FOUND if it may not see the repository. */
export function requireAccess(actor: Actor, repo: RepositoryState, need: RequiredAccess): void {
  const refusal = authorise(actor, repo, need);
  if (refusal === undefined) return;
  const name = `${repo.owner}/${repo.name}`;
  if (refusal.status === 404)
    throw graphqlFailure("NOT_FOUND", `Could not resolve to a Repository with the name '${name}'.`);
  throw graphqlFailure("FORBIDDEN", (refusal.body as { message: string }).message);
}

/** An error of GitHub's GraphQL: a message with a `type` such as NOT_FOUND or FORBIDDEN. */
export function graphqlFailure(type: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } });
}

/** The pull request with a GraphQL id. Throws NOT_FOUND. */
export async function findPull(state: WorldState, id: string): Promise<{ repo: RepositoryState; number: number }> {
  for (const repo of state.repositories.values())
    for (const number of repo.pulls.keys())
      if ((await renderPull(state, repo, number)).node_id === id) return { repo, number };
  throw graphqlFailure("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'.`);
}

/** The review thread with a GraphQL id. Throws NOT_FOUND. */
export function findThread(state: WorldState, id: string): { repo: RepositoryState; thread: Thread } {
  for (const repo of state.repositories.values()) {
    const thread = repo.threads.find((one) => one.id === id);
    if (thread !== undefined) return { repo, thread };
  }
  throw graphqlFailure("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'.`);
}
