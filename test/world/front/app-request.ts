import { renderRepository } from "../hooks/announce.ts";
import { appJwt } from "../start-emulate.ts";
import type { Actor, Answer, Fields, Role, WorldState } from "../state.ts";
import { failure } from "./answers.ts";
import { roleOf } from "./authorise.ts";
import type { AppManifest } from "./register-request.ts";

interface Grant {
  token: string;
  expires_at: string;
  permissions: Record<string, string>;
  repositories?: { name: string }[];
}

/** Serves requests outside a repository: the app and its installations, users, the rate limit. */
export async function appRequest(
  state: WorldState,
  actor: Actor,
  method: string,
  path: string,
  body: Fields,
): Promise<Answer> {
  if (path === "/user" && actor.kind !== "user") return failure(403, "Resource not accessible by integration");
  if (path === "/installation/repositories") return repositoriesOf(state, actor);
  if (path === "/user/installations") return installationsOf(state, actor);
  const reached = /^\/user\/installations\/(\d+)\/repositories$/.exec(path)?.[1];
  if (reached !== undefined) return reachedRepositories(state, actor, Number(reached));
  if (path === "/installation/token" && method === "DELETE") return revoke(state, actor);
  if (path.startsWith("/app/installations") && !state.registration.installed) return { status: 200, body: [] };
  if (path === "/app/hook/config" && method === "GET" && state.registration.manifest)
    return { status: 200, body: hookConfig(state.registration.manifest) };
  const given = method === "GET" ? {} : { body };
  const answer = await state.emulate.ask(method, path, { token: actor.token, ...given });
  if (path === "/app" && answer.status === 200)
    return { ...answer, body: { ...(answer.body as Fields), owner: ownerOf(state), ...askedFor(state) } };
  if (path === "/app/installations" && answer.status === 200)
    return { ...answer, body: (answer.body as Fields[]).map((one) => ({ ...one, ...askedFor(state) })) };
  const installation = /^\/app\/installations\/(\d+)\/access_tokens$/.exec(path)?.[1];
  if (installation === undefined || answer.status !== 201) return answer;
  const grant = answer.body as Grant;
  const token = longToken(state, grant.token);
  state.tokens.set(token, {
    kind: "installation",
    login: state.app.login,
    token: grant.token,
    installationId: Number(installation),
    permissions: grantedOf(state, grant),
    repositories:
      body.repositories === undefined && body.repository_ids === undefined
        ? undefined
        : grant.repositories?.map(({ name }) => name),
    expires: Date.parse(grant.expires_at),
  });
  return { ...answer, body: { ...grant, token } };
}

/** The parts of its manifest that a registered app shows. */
function askedFor({ registration: { manifest } }: WorldState): Fields {
  return manifest ? { permissions: manifest.default_permissions, events: manifest.default_events } : {};
}

/** Grants at most what the manifest asks for. */
function grantedOf({ registration: { manifest } }: WorldState, { permissions }: Grant): Record<string, string> {
  if (manifest === undefined) return permissions;
  const asked = Object.entries(permissions).flatMap(([name]) => {
    const level = manifest.default_permissions[name];
    return level === undefined ? [] : [[name, level] as const];
  });
  return Object.fromEntries(asked);
}

function hookConfig({ hook_attributes: hook }: AppManifest): Fields {
  return { content_type: "json", insecure_ssl: "0", secret: "********", url: hook.url };
}

/** Since April 2026 installation tokens are long and contain dots. */
function longToken({ app }: WorldState, secret: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { iss: "github", sub: `app:${app.id}`, jti: secret, scope: "x".repeat(200) };
  return `ghs_${app.id}_${part({ alg: "ES256", typ: "JWT" })}.${part(claims)}.${Buffer.from(secret).toString("base64url")}`;
}

/** The owner of the app, which emulate lacks. */
const ownerOf = ({ repositories }: WorldState) => ({
  login: [...repositories.values()][0]?.owner,
  type: "Organization",
});

async function repositoriesOf(state: WorldState, actor: Actor): Promise<Answer> {
  if (actor.kind !== "installation") return failure(403, "Resource not accessible by integration");
  const mine = [...state.repositories.values()].filter(
    (repo) => repo.installationId === actor.installationId && (actor.repositories?.includes(repo.name) ?? true),
  );
  const repositories = await Promise.all(mine.map((repo) => renderRepository(state, repo)));
  return { status: 200, body: { total_count: repositories.length, repositories } };
}

/** The repositories that a person can reach, public ones too. */
const reachedBy = ({ repositories }: WorldState, login: string) =>
  [...repositories.values()].filter((repo) => roleOf(repo, login) !== "none");

async function installationsOf(state: WorldState, actor: Actor): Promise<Answer> {
  if (actor.kind !== "user") return failure(403, "Resource not accessible by integration");
  const ids = new Set(reachedBy(state, actor.login).map(({ installationId }) => installationId));
  const { body } = await state.emulate.ask("GET", "/app/installations", { token: appJwt(state.emulate, state.app.id) });
  const installations = (body as Fields[]).filter(({ id }) => ids.has(Number(id)));
  return { status: 200, body: { total_count: installations.length, installations } };
}

async function reachedRepositories(state: WorldState, actor: Actor, installation: number): Promise<Answer> {
  if (actor.kind !== "user") return failure(403, "Resource not accessible by integration");
  const mine = reachedBy(state, actor.login).filter(({ installationId }) => installationId === installation);
  if (mine.length === 0) return failure(404, "Not Found");
  const repositories = await Promise.all(
    mine.map(async (repo) => ({
      ...(await renderRepository(state, repo)),
      permissions: permissionsOf(roleOf(repo, actor.login)),
    })),
  );
  return { status: 200, body: { total_count: repositories.length, repositories } };
}

function permissionsOf(role: Role): Readonly<Record<string, boolean>> {
  const least = (roles: readonly Role[]) => roles.includes(role);
  return {
    admin: least(["admin"]),
    maintain: least(["admin", "maintain"]),
    push: least(["admin", "maintain", "write"]),
    triage: least(["admin", "maintain", "write", "triage"]),
    pull: true,
  };
}

function revoke(state: WorldState, actor: Actor): Answer {
  if (actor.kind !== "installation") return failure(403, "Resource not accessible by integration");
  for (const [token, other] of state.tokens) if (other === actor) state.tokens.delete(token);
  return { status: 204 };
}
