import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { RepositoryOptions } from "../../world/options.ts";
import { projectRoot } from "../../world/project-root.ts";
import { startWorld } from "../../world/start-world.ts";
import type { World } from "../../world/world-handle.ts";
import { type RouteServer, startRoutes } from "./start-routes.ts";

export interface Github extends RouteServer {
  world: World;
  /** as app.yml has them */
  permissions: Record<string, string>;
  events: readonly string[];
  /** Registers the app with other permissions or the webhook elsewhere. */
  register(app: { permissions?: Record<string, string>; events?: readonly string[] }): void;
  hook(config: object): void;
  environment(): Record<string, string>;
}

const API = "/api/v3";
const REPOSITORIES: RepositoryOptions[] = [
  { owner: "acme", name: "shop", private: true, files: { "a.js": "1;\n" }, labels: ["magis"] },
  {
    owner: "acme",
    name: "odd",
    private: true,
    files: { ".github/magis.yml": "label: go\nciRounds: 2\n" },
  },
];

/** The test world with a server in front that adds the app's registration, webhook settings, deliveries and rules. */
export async function startGithub(secret: string): Promise<Github> {
  const { default_permissions: permissions, default_events: events } = parse(
    readFileSync(`${projectRoot()}/app.yml`, "utf8"),
  ) as { default_permissions: Record<string, string>; default_events: string[] };
  const world = await startWorld({ webhookSecret: secret, repositories: REPOSITORIES, app: { permissions } });
  const owner = { login: "acme", type: "Organization" };
  let registered: object = { owner, permissions, events };
  const server = await startRoutes({}, async ({ method = "GET", url = "/", headers }, body) => {
    const { authorization = "", accept = "", "content-type": type = "" } = headers;
    const response = await fetch(`${world.url}${url}`, {
      method,
      headers: { authorization, accept, "content-type": type },
      body: body === "" ? undefined : body,
    });
    const text = await response.text();
    const data = text === "" ? {} : (JSON.parse(text) as object);
    const isApp = url === `${API}/app` && response.status === 200;
    return { status: response.status, body: isApp ? { ...data, ...registered } : data };
  });
  const github: Github = {
    ...server,
    world,
    permissions,
    events,
    register: (app) => {
      registered = { ...registered, ...app };
    },
    hook: (config) => {
      server.routes[`GET ${API}/app/hook/config`] = { body: config };
    },
    environment: () => ({ ...world.botEnvironment(), GHE_HOST: server.url.replace("http://", "") }),
    close: async () => {
      await server.close();
      await world.close();
    },
  };
  const delivered = { delivered_at: "2026-11-20T10:00:00Z", status: "OK", status_code: 200, event: "issues" };
  server.routes[`GET ${API}/app/hook/deliveries`] = { body: [delivered] };
  for (const { owner: login, name } of REPOSITORIES) {
    server.routes[`GET ${API}/repos/${login}/${name}/rules/branches/magis/issue-1-a-title`] = { body: [] };
  }
  return github;
}
