import { createEmulator } from "emulate";
import { rsaKey } from "../fakes/rsa-key.ts";
import type { Settings } from "./options.ts";
import type { Answer } from "./state.ts";

/** The user behind the front's own requests to emulate: owner of every organization. */
const ROOT = "world-owner";

export interface EmulateClient {
  privateKey: string;
  /** Asks emulate as the holder of `token` (default: the owner of everything). */
  ask(method: string, path: string, options?: { body?: unknown; token?: string; accept?: string }): Promise<Answer>;
  /** Puts the front's address where emulate wrote its own. */
  translate(text: string): string;
  close(): Promise<void>;
}

/**
 * Starts emulate's stateful GitHub REST on a free loopback port. It takes port 0, but tells which port it got
 * only when it is not given a base address; so its answers carry its own and are translated here.
 * Its webhooks go to the front at `url`, path `/_hooks`.
 */
export async function startEmulate(
  settings: Settings,
  url: string,
  installations: Map<string, number>,
): Promise<EmulateClient> {
  const { app, repositories, logins } = settings;
  const users = [ROOT, ...logins];
  const privateKey = rsaKey("pkcs1");
  const started = await createEmulator({
    service: "github",
    port: 0,
    seed: {
      tokens: Object.fromEntries(
        users.map((login) => [`ghp_${login}`, { login, scopes: ["repo", "user", "admin:org"] }]),
      ),
      github: {
        users: users.map((login) => ({ login, name: login, email: `${login}@example.test` })),
        orgs: [...installations.keys()].map((login) => ({ login, members: [{ login: ROOT, role: "admin" }] })),
        repos: repositories.map(({ owner, name, private: secret }) => ({ owner, name, private: secret ?? false })),
        apps: [
          {
            app_id: app.id,
            slug: app.slug,
            name: app.slug.toUpperCase(),
            private_key: privateKey,
            permissions: app.permissions,
            events: ["issues", "issue_comment", "pull_request"],
            webhook_url: `${url}/_hooks`,
            webhook_secret: settings.webhookSecret,
            installations: [...installations].map(([account, installation_id]) => ({
              installation_id,
              account,
              repository_selection: "all",
            })),
          },
        ],
      },
    },
  });
  const translate = (text: string) => text.replaceAll(started.url, url);
  return {
    privateKey,
    ask: askAt(started.url, translate),
    translate,
    close: () => started.close(),
  };
}

function askAt(url: string, translate: (text: string) => string): EmulateClient["ask"] {
  return async (method, path, { body, token = `ghp_${ROOT}`, accept = "application/json" } = {}) => {
    const send = () =>
      fetch(url + path, {
        method,
        redirect: "manual",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", accept },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    // A server that has been idle closes a connection at the moment it is used again: what only reads is asked once more.
    const response = await send().catch((error: unknown) => {
      if (method !== "GET") throw error;
      return send();
    });
    const text = translate(await response.text());
    const headers = Object.fromEntries(
      [...response.headers]
        .filter(([name]) => name === "link" || name === "location")
        .map(([k, v]) => [k, translate(v)]),
    );
    return { status: response.status, headers, ...(text === "" ? {} : { body: JSON.parse(text) as unknown }) };
  };
}
