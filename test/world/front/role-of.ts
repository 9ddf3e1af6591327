import type { RepositoryState, Role } from "../state.ts";

/** A user's role: what was given, else a public repository can be read by anybody. */
export function roleOf(repo: RepositoryState, login: string): Role {
  return repo.roles.get(login) ?? (repo.private ? "none" : "read");
}
