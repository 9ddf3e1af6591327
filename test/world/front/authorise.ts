import type { Actor, Answer, RepositoryState, Role } from "../state.ts";
import { failure } from "./failure.ts";
import type { RequiredAccess } from "./required-access.ts";
import { roleOf } from "./role-of.ts";

const RANK: Role[] = ["none", "read", "triage", "write", "maintain", "admin"];

/**
 * The refusal of a request, or undefined: 404 for a sender who may not see the repository, 403 for one who may see it
 * but not do this.
 */
export function authorise(actor: Actor, repo: RepositoryState, need: RequiredAccess): Answer | undefined {
  const hidden = failure(404, "Not Found");
  if (actor.kind === "app") return hidden;
  if (actor.kind === "user") {
    const role = roleOf(repo, actor.login);
    if (role === "none") return hidden;
    if (need.role === "none") return failure(403, "You must authenticate via a GitHub App.");
    return RANK.indexOf(role) >= RANK.indexOf(need.role)
      ? undefined
      : failure(403, "Must have admin rights to Repository.");
  }
  const mine = actor.installationId === repo.installationId && (actor.repositories?.includes(repo.name) ?? true);
  if (!mine && (repo.private || need.level === "write")) return repo.private ? hidden : refused(need);
  if (!repo.private && need.level === "read") return undefined;
  const granted = need.permissions.some((name) => {
    const level = name === "metadata" ? "read" : actor.permissions[name];
    return level === "write" || level === "admin" || (level === "read" && need.level === "read");
  });
  return granted ? undefined : refused(need);
}

function refused({ permissions, level }: RequiredAccess): Answer {
  const accepted = permissions.map((name) => `${name}=${level}`).join("; ");
  const answer = failure(403, "Resource not accessible by integration");
  return { ...answer, headers: { "x-accepted-github-permissions": accepted } };
}
