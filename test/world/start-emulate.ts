import { createEmulator } from "emulate";
import { rsaKey } from "../fakes/rsa-key.ts";
import { httpExchange } from "./http-exchange.ts";
import type { Settings } from "./options.ts";
import type { Answer } from "./state.ts";

/** The user behind the front's own requests to emulate: owner of every organization. */
const ROOT = "world-owner";

export interface EmulateClient {
  privateKey: string;
  /** Asks emulate as the holder of `token` (default: the owner of everything). */
  ask(method: string, path: string, options?: { body?: unknown; token?: string; accept?: string }): Promise<Answer>;
  /** Puts the front's address where emulate wrote its own, and makes the times of what is new the same. */
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
  const translate = (text: string) => asWrittenOnce(text.replaceAll(started.url, url));
  return {
    privateKey,
    ask: askAt(started.url, translate),
    translate,
    close: () => started.close(),
  };
}

const TIMES = /("created_at":"([^"]+)","updated_at":")([^"]+)"/g;

/** Nobody edits what they have just written within so many milliseconds. */
const ONE_WRITE_MS = 20;

/**
 * emulate writes a new comment twice, so that its two times may differ by a millisecond. On GitHub they are the same:
 * whoever leaves out what was edited after a request would leave out the request's own comment.
 */
const asWrittenOnce = (text: string): string =>
  text.replace(TIMES, (times, head: string, created: string, updated: string) =>
    Date.parse(updated) - Date.parse(created) < ONE_WRITE_MS ? `${head}${created}"` : times,
  );

function askAt(url: string, translate: (text: string) => string): EmulateClient["ask"] {
  const remember = createMemory();
  return async (method, path, { body, token = `ghp_${ROOT}`, accept = "application/json" } = {}) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", accept };
    const text = body === undefined ? undefined : JSON.stringify(body);
    const send = () => httpExchange(url + path, { method, headers, body: text });
    // A server that has been idle closes a connection at the moment it is used again: what only reads is asked once more.
    const answer = await remember(method, path, `${token} ${accept}`, () =>
      send().catch((error: unknown) => {
        if (method !== "GET") throw error;
        return send();
      }),
    );
    const told = Object.fromEntries(
      ["link", "location"].flatMap((name) => {
        const value = answer.headers[name];
        return typeof value === "string" ? [[name, translate(value)]] : [];
      }),
    );
    const given = translate(answer.text);
    const parsed: unknown = given === "" ? undefined : JSON.parse(given);
    return { status: answer.status, headers: told, body: parsed };
  };
}

type Sent = ReturnType<typeof httpExchange>;

/**
 * What was read is remembered until something is written: an account or a repository stands in all that is announced. Comments
 * are never remembered, so that the most frequent writing by far, a comment's correction, leaves the rest as it is known.
 */
function createMemory() {
  const known = new Map<string, Sent>();
  let writing = 0;
  return async (method: string, path: string, asker: string, send: () => Sent): Promise<Awaited<Sent>> => {
    const isComment = /\/comments(?:\/|\?|$)/.test(path);
    if (isComment && (method === "GET" || method === "PATCH")) return send();
    if (method !== "GET") {
      writing += 1;
      known.clear();
      return await send().finally(() => {
        writing -= 1;
      });
    }
    // While something is being written, nobody knows whether that is seen already.
    if (writing > 0) return send();
    const key = `${path} ${asker}`;
    const asked = known.get(key) ?? send();
    known.set(key, asked);
    asked.catch(() => known.delete(key));
    return asked;
  };
}
