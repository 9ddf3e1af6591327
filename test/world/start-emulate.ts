import { createSign } from "node:crypto";
import { createEmulator } from "emulate";
import { rsaKey } from "../fakes/rsa-key.ts";
import { httpExchange } from "./http-exchange.ts";
import type { Settings } from "./options.ts";
import type { Answer, RepositoryState, WorldState } from "./state.ts";

/** The user behind the front's own requests to emulate: owner of every organization. */
const ROOT = "world-owner";

/** Its tokens, taken in turn: emulate answers 5,000 requests an hour of each, and the front asks for every event. */
const ROOT_TOKENS = Array.from({ length: 50 }, (_, at) => `ghp_${ROOT}_${at}`);

export interface EmulateClient {
  privateKey: string;
  /** Asks emulate as the holder of `token` (default: the owner of everything). */
  ask(method: string, path: string, options?: { body?: unknown; token?: string; accept?: string }): Promise<Answer>;
  /** Parses what emulate sent, with the front's address in place of its own and with true times. */
  parse(text: string): unknown;
  /** Makes everything that is there older by so many milliseconds. */
  age(ms: number): void;
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
      tokens: Object.fromEntries([
        ...logins.map((login) => [`ghp_${login}`, tokenOf(login)]),
        ...ROOT_TOKENS.map((token) => [token, tokenOf(ROOT)]),
      ]),
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
          ...otherApps(settings).map(({ id, slug, installationOf }) => ({
            app_id: id,
            slug,
            name: slug,
            private_key: privateKey,
            permissions: app.permissions,
            installations: [...installations].map(([account, installation]) => ({
              installation_id: installationOf(installation),
              account,
              repository_selection: "all" as const,
            })),
          })),
        ],
      },
    },
  });
  const edited = new Set<string>();
  const ages: Age[] = [];
  const translate = (text: string) => text.replaceAll(started.url, url);
  const parse = (text: string): unknown => {
    const value: unknown = JSON.parse(translate(text));
    correctTimes(value, edited, ages);
    return value;
  };
  return {
    privateKey,
    ask: askAt(started.url, { edited, translate, parse }),
    parse,
    age: (ms) => void ages.push({ until: Date.now(), ms }),
    close: () => started.close(),
  };
}

/** What was made `until` then is older by `ms` than emulate says. */
interface Age {
  until: number;
  ms: number;
}

const TIME = /^(?:created|updated|closed|merged)_at$/;

const tokenOf = (login: string) => ({ login, scopes: ["repo", "user", "admin:org"] });

const COMMENT = /\/comments\/(\d+)$/;

/**
 * Sets the times in what emulate sent right. It writes a new comment twice, so its two times may differ although nobody
 * edited it. On GitHub they are equal, and the bot leaves out comments that were edited after a request. Only the
 * `edited` comments keep their second time.
 */
function correctTimes(value: unknown, edited: ReadonlySet<string>, ages: readonly Age[]): void {
  if (typeof value !== "object" || value === null) return;
  const fields = value as Record<string, unknown>;
  for (const [key, one] of Object.entries(fields)) {
    if (typeof one !== "string") correctTimes(one, edited, ages);
    else if (TIME.test(key)) fields[key] = aged(one, ages);
  }
  const isComment = "body" in fields && COMMENT.test(String(fields.url));
  if (isComment && !edited.has(String(fields.id))) fields.updated_at = fields.created_at;
}

function aged(time: string, ages: readonly Age[]): string {
  const at = Date.parse(time);
  const older = ages.reduce((sum, { until, ms }) => (at <= until ? sum + ms : sum), 0);
  // As precise as emulate's own, which GitHub's description wants.
  return older === 0 ? time : new Date(at - older).toISOString().replace(/\.\d+Z$/, time.includes(".") ? "$&" : "Z");
}

interface Reading {
  /** Numbers of the comments that were edited; asking adds to them. */
  edited: Set<string>;
  translate(text: string): string;
  parse(text: string): unknown;
}

function askAt(url: string, { edited, translate, parse }: Reading): EmulateClient["ask"] {
  const remember = createMemory();
  let asked = 0;
  const ownToken = () => ROOT_TOKENS[asked++ % ROOT_TOKENS.length] ?? "";
  return async (method, path, { body, token: given, accept = "application/json" } = {}) => {
    const token = given ?? ownToken();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", accept };
    const text = body === undefined ? undefined : JSON.stringify(body);
    const comment = method === "PATCH" ? COMMENT.exec(path)?.[1] : undefined;
    if (comment !== undefined) edited.add(comment);
    const send = () => httpExchange(url + path, { method, headers, body: text });
    // A server that has been idle closes a connection at the moment it is used again: what only reads is asked once more.
    const answer = await remember(method, path, `${given ?? ROOT} ${accept}`, () =>
      send().catch((error: unknown) => {
        if (method !== "GET") throw error;
        return send();
      }),
    );
    const links = Object.fromEntries(
      ["link", "location"].flatMap((name) => {
        const value = answer.headers[name];
        return typeof value === "string" ? [[name, translate(value)]] : [];
      }),
    );
    return { status: answer.status, headers: links, body: answer.text === "" ? undefined : parse(answer.text) };
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

/**
 * Makes emulate create the app's bot account, which happens at the app's first write: here a request refused for its
 * empty body. Everything else can then show the account before the app has done anything. Gives the app's token.
 */
export async function introduceApp(
  emulate: EmulateClient,
  appId: number,
  installation: number,
  repository: string,
): Promise<string> {
  const jwt = appJwt(emulate, appId);
  const grant = await emulate.ask("POST", `/app/installations/${installation}/access_tokens`, { body: {}, token: jwt });
  const { token } = grant.body as { token: string };
  for (const path of ["issues", "pulls", "git/blobs"])
    await emulate.ask("POST", `/repos/${repository}/${path}`, { body: {}, token });
  return token;
}

/** An app beside the bot. */
interface OtherApp {
  id: number;
  slug: string;
  /** Its installation where the bot has this one. */
  installationOf(installation: number): number;
}

function otherApps({ app, bots }: Settings): OtherApp[] {
  return bots.map((slug, index) => ({
    id: app.id + 1 + index,
    slug,
    installationOf: (installation) => installation + 1000 * (index + 1),
  }));
}

/** The token that an app beside the bot has in a repository. */
export const tokenOfBot = (login: string, { installationId }: Pick<RepositoryState, "installationId">) =>
  `ghs_${login}_${installationId}`;

/** Gives the apps beside the bot their accounts, and a token in each repository that never expires. */
export async function introduceOthers(
  { emulate, tokens, repositories }: WorldState,
  settings: Settings,
): Promise<void> {
  for (const { id, slug, installationOf } of otherApps(settings))
    for (const [name, repo] of repositories) {
      const login = `${slug}[bot]`;
      tokens.set(tokenOfBot(login, repo), {
        kind: "installation",
        login,
        token: await introduceApp(emulate, id, installationOf(repo.installationId), name),
        installationId: repo.installationId,
        permissions: settings.app.permissions,
        repositories: undefined,
        expires: Number.POSITIVE_INFINITY,
      });
    }
}

/** What the app itself signs in with. */
export function appJwt({ privateKey }: Pick<EmulateClient, "privateKey">, appId: number): string {
  const now = Math.floor(Date.now() / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iat: now - 30, exp: now + 60, iss: String(appId) })}`;
  return `${claims}.${createSign("RSA-SHA256").update(claims).sign(privateKey, "base64url")}`;
}
