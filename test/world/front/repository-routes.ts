import { accountOf } from "../account-of.ts";
import { renderRepository } from "../hooks/announce.ts";
import type { Answer, Call, Role, Route } from "../state.ts";
import { failure } from "./answers.ts";
import { roleOf } from "./authorise.ts";

/** The repository itself, and people's permissions in it. */
export function repositoryRoutes(): Route[] {
  const R = "/repos/{owner}/{repo}";
  return [
    ["GET", R, get],
    ["GET", `${R}/collaborators/{user}/permission`, permission],
  ];
}

const LEGACY: Record<Role, string> = {
  admin: "admin",
  maintain: "write",
  write: "write",
  triage: "read",
  read: "read",
  none: "none",
};

async function get({ state, repo, actor }: Call): Promise<Answer> {
  const body = await renderRepository(state, repo);
  if (actor.kind !== "user") return { status: 200, body };
  const order: Role[] = ["read", "triage", "write", "maintain", "admin"];
  const rank = order.indexOf(roleOf(repo, actor.login));
  const names = ["pull", "triage", "push", "maintain", "admin"];
  const permissions = Object.fromEntries(names.map((name, index) => [name, index <= rank]));
  return { status: 200, body: { ...body, permissions } };
}

/** `permission` knows only admin, write, read and none; `role_name` is the finer role. */
async function permission({ state, repo, params }: Call): Promise<Answer> {
  const login = params.user ?? "";
  // Only a missing user is nobody: a late answer must not take away a person's permissions.
  const { status } = await state.emulate.ask("GET", `/users/${encodeURIComponent(login)}`);
  if (status === 404) return failure(404, `${login} is not a user`);
  const user = await accountOf(state, login);
  const role = roleOf(repo, login);
  return { status: 200, body: { permission: LEGACY[role], role_name: role, user: { ...user, role_name: role } } };
}
