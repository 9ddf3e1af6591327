import { authorise } from "../front/authorise.ts";
import type { RequiredAccess } from "../front/required-access.ts";
import type { Actor, RepositoryState } from "../state.ts";
import { graphqlFailure } from "./graphql-failure.ts";

/** Throws FORBIDDEN unless `actor` has the access, or NOT_FOUND if it may not see the repository. */
export function requireAccess(actor: Actor, repo: RepositoryState, need: RequiredAccess): void {
  const refusal = authorise(actor, repo, need);
  if (refusal === undefined) return;
  const name = `${repo.owner}/${repo.name}`;
  if (refusal.status === 404)
    throw graphqlFailure("NOT_FOUND", `Could not resolve to a Repository with the name '${name}'.`);
  throw graphqlFailure("FORBIDDEN", (refusal.body as { message: string }).message);
}
