import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { readText } from "../http-exchange.ts";
import { projectRoot } from "../project-root.ts";
import type { Fields } from "../state.ts";
import type { FrontParts } from "./front-parts.ts";
import { CLIENT } from "./sign-in-request.ts";

/**
 * GitHub's manifest flow: the page that offers to create the app, the redirect with a code, the code's exchange, and the
 * page that installs the app. Anybody who opens a page counts as signed in. Gives whether it was such a request.
 * https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 */
export async function registerRequest(
  { state, journal }: FrontParts,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<boolean> {
  const { registration, app } = state;
  const asked = `${request.method} ${url.pathname.replace(/^\/api\/v3(?=\/)/, "")}`;
  const html = (status: number, text: string) => {
    response.writeHead(status, { "content-type": "text/html" }).end(`<!doctype html><title>GitHub</title>${text}`);
    return true;
  };
  if (/^POST (\/organizations\/[\w-]+)?\/settings\/apps\/new$/.test(asked)) {
    const read = readManifest(new URLSearchParams(await readText(request)).get("manifest") ?? "{}");
    if ("faults" in read) return html(422, read.faults.join("<br>"));
    registration.asked = read.manifest;
    const state = encodeURIComponent(url.searchParams.get("state") ?? "");
    const form = `<form method="post" action="/settings/apps/create?state=${state}"><button id="create">Create GitHub App</button></form>`;
    return html(200, form);
  }
  if (asked === "POST /settings/apps/create" && registration.asked) {
    registration.code = randomUUID();
    registration.manifest = registration.asked;
    const back = new URL(registration.asked.redirectUrl);
    back.searchParams.set("code", registration.code);
    back.searchParams.set("state", url.searchParams.get("state") ?? "");
    response.writeHead(302, { location: back.href }).end();
    return true;
  }
  if (asked === `GET /apps/${app.slug}/installations/new`) {
    return html(200, '<form method="post"><button id="install">Install</button></form>');
  }
  if (asked === `POST /apps/${app.slug}/installations/new`) {
    registration.installed = true;
    return html(200, "Installed");
  }
  const [, code] = /^POST \/app-manifests\/([\w-]+)\/conversions$/.exec(asked) ?? [];
  if (code === undefined) return false;
  const isValid = code === registration.code;
  delete registration.code;
  const status = isValid ? 201 : 404;
  const body = isValid ? conversion({ state }) : { message: "Not Found" };
  journal.push({
    kind: "rest",
    method: "POST",
    path: url.pathname,
    status,
    actor: "?",
    request: undefined,
    answer: {},
  });
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  return true;
}

function conversion({ state }: Pick<FrontParts, "state">) {
  const { app, url, emulate, hooks } = state;
  return {
    id: app.id,
    slug: app.slug,
    name: app.slug,
    node_id: "A_1",
    owner: null,
    html_url: `${url}/apps/${app.slug}`,
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
    pem: emulate.privateKey,
    webhook_secret: hooks.secret,
  };
}

/** An app's manifest that GitHub has accepted. */
export interface AppManifest {
  name: string;
  redirectUrl: string;
  hook: { url: string; active: boolean };
  events: readonly string[];
  permissions: Readonly<Record<string, string>>;
}

/** https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest#github-app-manifest-parameters */
const PARAMETERS: readonly string[] = (
  "name url hook_attributes redirect_url callback_urls setup_url description public default_events " +
  "default_permissions request_oauth_on_install setup_on_update"
).split(" ");

/**
 * The permissions of which an app needs one to receive an event.
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads
 */
const EVENTS: Readonly<Record<string, readonly string[]>> = {
  check_run: ["checks"],
  check_suite: ["checks"],
  commit_comment: ["contents"],
  create: ["contents"],
  delete: ["contents"],
  deployment: ["deployments"],
  deployment_status: ["deployments"],
  discussion: ["discussions"],
  discussion_comment: ["discussions"],
  issue_comment: ["issues", "pull_requests"],
  issues: ["issues"],
  label: ["issues", "pull_requests"],
  milestone: ["issues", "pull_requests"],
  pull_request: ["pull_requests"],
  pull_request_review: ["pull_requests"],
  pull_request_review_comment: ["pull_requests"],
  pull_request_review_thread: ["pull_requests"],
  push: ["contents"],
  release: ["contents"],
  repository: ["metadata"],
  status: ["statuses"],
  workflow_job: ["actions"],
  workflow_run: ["actions"],
};

/** Reads a manifest like GitHub's page; `faults` are the page's objections. */
function readManifest(text: string): { manifest: AppManifest } | { faults: readonly string[] } {
  const fields = JSON.parse(text) as Fields;
  const hook = (fields.hook_attributes ?? {}) as Fields;
  const permissions = (fields.default_permissions ?? {}) as Readonly<Record<string, string>>;
  const events = (fields.default_events ?? []) as readonly string[];
  const faults = [
    ...(fields.url === undefined ? ["url is missing"] : []),
    ...(fields.redirect_url === undefined ? ["redirect_url is missing"] : []),
    ...(fields.hook_attributes !== undefined && hook.url === undefined ? ["hook_attributes.url is missing"] : []),
    ...faultsIn(fields, PARAMETERS, ""),
    ...faultsIn(hook, ["url", "active"], "hook_attributes."),
    ...permissionFaults(permissions),
    ...events.flatMap((event) => eventFaults(event, permissions)),
  ];
  if (faults.length > 0) return { faults };
  return {
    manifest: {
      name: String(fields.name),
      redirectUrl: String(fields.redirect_url),
      hook: { url: String(hook.url), active: hook.active !== false },
      events,
      permissions,
    },
  };
}

const faultsIn = (fields: Fields, known: readonly string[], prefix: string): readonly string[] =>
  Object.keys(fields).flatMap((name) =>
    known.includes(name) ? [] : [`${prefix}${name} is no parameter of a manifest`],
  );

/** The levels of each permission of an app, from GitHub's published description. */
function knownPermissions(): Readonly<Record<string, { enum: readonly string[] }>> {
  const description = JSON.parse(readFileSync(join(projectRoot(), "test/world/contract/rest.json"), "utf8"));
  return description.components.schemas["app-permissions"].properties;
}

function permissionFaults(permissions: Readonly<Record<string, string>>): readonly string[] {
  const known = knownPermissions();
  return Object.entries(permissions).flatMap(([name, level]) => {
    const levels = Object.hasOwn(known, name) ? known[name]?.enum : undefined;
    if (levels === undefined) return [`default_permissions.${name} is no permission`];
    return levels.includes(level) ? [] : [`default_permissions.${name} is no level of it: ${level}`];
  });
}

function eventFaults(event: string, permissions: Readonly<Record<string, string>>): readonly string[] {
  const needed = Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined;
  if (needed === undefined) return [`default_events: ${event} is no event that an app can be told of`];
  return needed.some((name) => permissions[name] !== undefined)
    ? []
    : [`default_events: ${event} needs one of the permissions ${needed.join(", ")}`];
}
