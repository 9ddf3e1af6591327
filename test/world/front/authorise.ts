import type { Actor, Answer, RepositoryState, Role } from "../state.ts";
import { failure } from "./answers.ts";

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

export interface RequiredAccess {
  /** The app permissions of which one suffices, and the level. */
  permissions: string[];
  level: "read" | "write";
  /** The lowest sufficient role of a user. */
  role: Role;
}

type Rule = [methods: RegExp, path: RegExp, permissions: string[], role: Role];

const TALK = ["issues", "pull_requests"];
/** Writes, by path below the repository, as documented for each operation; the first match counts. */
const WRITES: Rule[] = [
  [/POST/, /^\/issues$/, ["issues"], "read"],
  [/PATCH/, /^\/issues\/\d+$/, TALK, "read"],
  [/./, /^\/issues\/(comments\/)?\d+\/(comments|reactions)/, TALK, "read"],
  [/./, /^\/issues\/comments\/\d+$/, TALK, "read"],
  [/./, /^\/issues\/\d+\/(labels|assignees)/, TALK, "triage"],
  [/./, /^\/issues\/\d+\/lock$/, TALK, "write"],
  [/./, /^\/labels/, TALK, "write"],
  [/PUT/, /^\/pulls\/\d+\/merge$/, ["contents"], "write"],
  [/./, /^\/pulls/, ["pull_requests"], "read"],
  [/./, /^\/(git|contents|branches)\b/, ["contents"], "write"],
  [/./, /^\/check-(runs|suites)/, ["checks"], "none"],
];
const READS: [path: RegExp, permissions: string[]][] = [
  [/^\/(issues|labels)/, TALK],
  [/^\/pulls/, ["pull_requests"]],
  [/^\/(commits\/.+\/check-|check-)/, ["checks"]],
  [/^\/commits\/.+\/status(es)?$/, ["statuses"]],
  [/^\/(git|contents|branches|commits|compare)\b/, ["contents"]],
  [/^\/actions/, ["actions"]],
];

/** The access that a request below `/repos/{owner}/{repo}` needs. `rest` is the path after the repository's name. */
export function requiredAccess(method: string, rest: string): RequiredAccess {
  if (method === "GET" || method === "HEAD") {
    const permissions = READS.find(([path]) => path.test(rest))?.[1] ?? ["metadata"];
    return { permissions, level: "read", role: "read" };
  }
  const found = WRITES.find(([methods, path]) => methods.test(method) && path.test(rest));
  return { permissions: found?.[2] ?? ["administration"], level: "write", role: found?.[3] ?? "admin" };
}

/** A user's role: the given one, or read in a public repository. */
export function roleOf(repo: RepositoryState, login: string): Role {
  return repo.roles.get(login) ?? (repo.private ? "none" : "read");
}
