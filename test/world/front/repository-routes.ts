import { accountOf } from "../account-of.ts";
import { renderRepository } from "../hooks/render-repository.ts";
import { completeCheck } from "../issues/complete-check.ts";
import type { Answer, Call, Fields, Role, Route } from "../state.ts";
import { failure } from "./failure.ts";
import { forward } from "./forward.ts";
import { roleOf } from "./role-of.ts";

/** A repository itself, who may do what in it, and its checks and job logs. */
export function repositoryRoutes(): Route[] {
  const R = "/repos/{owner}/{repo}";
  return [
    ["GET", R, get],
    ["GET", `${R}/collaborators/{user}/permission`, permission],
    ["GET", `${R}/collaborators/{user}`, collaborator],
    ["POST", `${R}/check-runs`, createCheck],
    ["GET", `${R}/commits/{ref+}/check-runs`, checkRunsOf],
    ["GET", `${R}/actions/jobs/{job}/logs`, jobLog],
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
  const user = await accountOf(state, login).catch(() => undefined);
  if (user === undefined) return failure(404, `${login} is not a user`);
  const role = roleOf(repo, login);
  return { status: 200, body: { permission: LEGACY[role], role_name: role, user: { ...user, role_name: role } } };
}

async function collaborator({ repo, params }: Call): Promise<Answer> {
  return repo.roles.has(params.user ?? "") ? { status: 204 } : failure(404, "Not Found");
}

/** Emulate leaves empty what GitHub fills in, and lists checks only of commits that it has itself. */
async function createCheck(call: Call): Promise<Answer> {
  const { state, repo, body } = call;
  const sha = String(body.head_sha);
  if ((await repo.bare.resolve(`${sha}^{commit}`)) === undefined)
    return failure(422, `No commit found for SHA: ${sha}`);
  const given = { details_url: `${state.url}/apps/${state.app.slug}`, started_at: new Date().toISOString(), ...body };
  const answer = await forward({ ...call, body: given });
  if (answer.status === 201) repo.checks.push({ sha, id: (answer.body as { id: number }).id });
  return answer;
}

async function checkRunsOf(call: Call): Promise<Answer> {
  const { state, repo, params, query } = call;
  const sha = await repo.bare.resolve(`${params.ref}^{commit}`);
  if (sha === undefined) return failure(422, `No commit found for SHA: ${params.ref}`);
  const mine = repo.checks.filter((check) => check.sha === sha).reverse();
  const at = `/repos/${repo.owner}/${repo.name}/check-runs`;
  const rows = await Promise.all(
    mine.map(async ({ id }) => (await state.emulate.ask("GET", `${at}/${id}`)).body as Fields),
  );
  const fits = (name: string, field: string) => (row: Fields) => !query.has(name) || row[field] === query.get(name);
  const check_runs = rows
    .map((row) => completeCheck(row as Parameters<typeof completeCheck>[0]))
    .filter(fits("check_name", "name"))
    .filter(fits("status", "status"));
  return { status: 200, body: { total_count: check_runs.length, check_runs } };
}

async function jobLog({ state, repo, params }: Call): Promise<Answer> {
  if (!repo.jobLogs.has(Number(params.job))) return failure(404, "Not Found");
  return { status: 302, headers: { location: `${state.url}/_logs/${repo.owner}/${repo.name}/${params.job}` } };
}
