import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { readText } from "../http-exchange.ts";
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
    const given = new URLSearchParams(await readText(request)).get("manifest") ?? "{}";
    const { data, error } = manifestSchema.safeParse(JSON.parse(given));
    if (error) return html(422, z.prettifyError(error));
    registration.asked = data;
    const state = encodeURIComponent(url.searchParams.get("state") ?? "");
    const form = `<form method="post" action="/settings/apps/create?state=${state}"><button id="create">Create GitHub App</button></form>`;
    return html(200, form);
  }
  if (asked === "POST /settings/apps/create" && registration.asked) {
    registration.code = randomUUID();
    registration.manifest = registration.asked;
    const back = new URL(registration.asked.redirect_url);
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

/** https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest#github-app-manifest-parameters */
const manifestSchema = z.strictObject({
  name: z.string(),
  url: z.url(),
  redirect_url: z.url(),
  hook_attributes: z.strictObject({ url: z.url(), active: z.boolean().default(true) }),
  description: z.string().optional(),
  public: z.boolean().optional(),
  callback_urls: z.array(z.url()).optional(),
  setup_url: z.url().optional(),
  setup_on_update: z.boolean().optional(),
  request_oauth_on_install: z.boolean().optional(),
  default_events: z.array(z.string()),
  default_permissions: z.record(z.string(), z.enum(["read", "write", "admin"])),
});

/** An app's manifest that GitHub has accepted. */
export type AppManifest = z.infer<typeof manifestSchema>;
