import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createContract } from "./contract/create-contract.ts";
import { createFaults } from "./front/create-faults.ts";
import { createFront } from "./front/create-front.ts";
import type { Exchange } from "./front/exchange.ts";
import { createGraphql } from "./graphql/create-graphql.ts";
import { createWebhooks } from "./hooks/create-webhooks.ts";
import { introduceApp, introduceOthers } from "./introduce-app.ts";
import { openRepositories } from "./open-repositories.ts";
import { type Settings, settingsOf, type WorldOptions } from "./options.ts";
import { startEmulate } from "./start-emulate.ts";
import type { Actor, Registration, WorldState } from "./state.ts";
import { type World, worldHandle } from "./world-handle.ts";

/**
 * Starts a GitHub on loopback: emulate for what it gets right, real git, GitHub's own GraphQL schema, and in front of
 * them a server that corrects the rest and checks every exchange against GitHub's published description. Everything
 * listens on free ports of 127.0.0.1 and lives in one temporary folder; `close()` ends it all.
 */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const settings = settingsOf(options);
  const folder = await mkdtemp(join(tmpdir(), "magis-world-"));
  const closers = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })];
  const close = async () => {
    for (const one of closers.splice(0).reverse()) await one();
  };
  try {
    return await build(settings, folder, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Longer than any test: closing an idle connection just as a request arrives would fail a write that cannot be
 * repeated.
 */
const KEPT_MS = 3_600_000;

type Closer = () => Promise<void>;

async function build(settings: Settings, folder: string, closers: Closer[], close: Closer): Promise<World> {
  let listener: RequestListener = (_request, response) => void response.writeHead(503).end();
  const serve = async (at: { host?: string; port?: number; path?: string }): Promise<Server> => {
    const server = await listen(
      createServer({ keepAliveTimeout: KEPT_MS }, (request, response) => listener(request, response)),
      at,
    );
    closers.push(() => shut(server));
    return server;
  };
  const server = await serve({ host: "127.0.0.1", port: 0 });
  const files = await serve({ host: "127.0.0.1", port: 0 });
  const socket = process.platform === "win32" ? `\\\\.\\pipe\\${basename(folder)}` : join(folder, "api.sock");
  await serve({ path: socket });
  const [url, filesUrl] = [addressOf(server), addressOf(files)];
  const owners = [...new Set(settings.repositories.map(({ owner }) => owner))];
  const installations = new Map(owners.map((owner, index) => [owner, 100 + index]));
  const emulate = await startEmulate(settings, url, installations);
  closers.push(() => emulate.close());
  const repositories = await openRepositories(settings, folder, emulate, installations);
  closers.push(async () => {
    for (const { bare } of repositories.values()) await bare.close();
  });
  for (const [name, { installationId }] of repositories)
    await introduceApp(emulate, settings.app.id, installationId, name);
  const contract = createContract();
  const registration: Registration = { installed: settings.registered };
  const hooks = createWebhooks(settings, registration, (event, payload) => contract.webhook(event, payload));
  const { id, slug } = settings.app;
  const app = { id, slug, login: `${slug}[bot]` };
  const tokens = userTokens(settings);
  let last = 9000;
  const nextId = () => last++;
  const state: WorldState = {
    registration,
    signIn: { person: undefined, codes: new Map() },
    url,
    filesUrl,
    folder,
    app,
    tokens,
    repositories,
    emulate,
    hooks,
    contract,
    nextId,
    emails: new Map(),
    attached: new Map(),
  };
  await introduceOthers(state, settings);
  const faults = createFaults();
  const journal: Exchange[] = [];
  listener = createFront({ state, faults, journal, graphql: createGraphql() });
  closers.push(async () => {
    faults.releaseAll();
    await hooks.close();
  });
  return worldHandle({ state, settings, faults, journal, socket, close });
}

function userTokens({ logins }: Settings): Map<string, Actor> {
  return new Map(logins.map((login) => [`ghp_${login}`, { kind: "user", login, token: `ghp_${login}` }]));
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function listen(server: Server, at: { host?: string; port?: number; path?: string }): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(at, () => resolve(server));
  });
}

function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
