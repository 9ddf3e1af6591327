import type { RepositoryState, Role } from "../state.ts";

/** A user's role: the given one, or read in a public repository. */
export function roleOf(repo: RepositoryState, login: string): Role {
  return repo.roles.get(login) ?? (repo.private ? "none" : "read");
}
