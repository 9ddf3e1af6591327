import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { serve } from "../serve.ts";
import { createContract } from "./contract/create-contract.ts";
import { createFaults } from "./front/create-faults.ts";
import { createFront } from "./front/create-front.ts";
import type { Exchange } from "./front/front-parts.ts";
import { type BareRepository, bareRepository } from "./git/bare-repository.ts";
import { guardWorkflows } from "./git/git-http.ts";
import { runGit } from "./git/run-program.ts";
import { createGraphql } from "./graphql/create-graphql.ts";
import { createWebhooks } from "./hooks/create-webhooks.ts";
import { type RepositoryOptions, type Settings, settingsOf, type WorldOptions } from "./options.ts";
import { type EmulateClient, introduceApp, introduceOthers, startEmulate } from "./start-emulate.ts";
import type { Actor, Registration, RepositoryState, Role, WorldState } from "./state.ts";
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
  const open = async (): Promise<string> => {
    const served = await serve((request, response) => listener(request, response), { keepAliveTimeout: KEPT_MS });
    closers.push(served.close);
    return served.url;
  };
  const [url, filesUrl] = [await open(), await open()];
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
  };
  await introduceOthers(state, settings);
  const faults = createFaults();
  const journal: Exchange[] = [];
  listener = createFront({ state, faults, journal, graphql: createGraphql() });
  closers.push(async () => {
    faults.releaseAll();
    await hooks.close();
  });
  return worldHandle({ state, settings, faults, journal, close });
}

function userTokens({ logins }: Settings): Map<string, Actor> {
  return new Map(logins.map((login) => [`ghp_${login}`, { kind: "user", login, token: `ghp_${login}` }]));
}

/** Emulate's names of the roles. */
const EMULATE_ROLE: Record<Role, string | undefined> = {
  admin: "admin",
  maintain: "maintain",
  write: "push",
  triage: "triage",
  read: "pull",
  none: undefined,
};

/** Creates the git repositories below `folder`, and adds their people and labels to emulate. */
async function openRepositories(
  settings: Settings,
  folder: string,
  emulate: EmulateClient,
  installations: Map<string, number>,
): Promise<Map<string, RepositoryState>> {
  const open = async (options: RepositoryOptions): Promise<[string, RepositoryState]> => {
    const { owner, name, roles = {}, labels = [] } = options;
    const at = `/repos/${owner}/${name}`;
    for (const [login, role] of Object.entries(roles)) {
      const permission = EMULATE_ROLE[role];
      if (permission !== undefined) await emulate.ask("PUT", `${at}/collaborators/${login}`, { body: { permission } });
    }
    for (const label of labels) await emulate.ask("POST", `${at}/labels`, { body: { name: label, color: "ededed" } });
    const bare = await createRepository(folder, options);
    const repo: RepositoryState = {
      owner,
      name,
      private: options.private ?? false,
      defaultBranch: await bare.git("symbolic-ref", "--short", "HEAD"),
      installationId: installations.get(owner) ?? 0,
      roles: new Map(Object.entries(roles)),
      bare,
      pulls: new Map(),
      reviews: [],
      threads: [],
      reactions: [],
      statuses: [],
      checks: [],
      suites: [],
      workflows: [],
      signed: new Set(),
      minimized: new Set(),
      jobLogs: new Map(),
    };
    return [`${owner}/${name}`, repo];
  };
  return new Map(await Promise.all(settings.repositories.map(open)));
}

/**
 * Makes `<folder>/<owner>/<name>.git`, with the history of `options.from` or one commit of `options.files`,
 * and configures it like GitHub's: it serves any reachable object, and filters.
 */
async function createRepository(folder: string, options: RepositoryOptions): Promise<BareRepository> {
  const path = join(folder, options.owner, `${options.name}.git`);
  const branch = options.defaultBranch ?? "main";
  await mkdir(dirname(path), { recursive: true });
  if (options.from === undefined) {
    await runGit(["init", "--quiet", "--bare", `--initial-branch=${branch}`, path]);
    const files = options.files ?? { "README.md": `# ${options.name}\n` };
    await firstCommit(folder, path, files);
    // GitHub serves packs. From loose files, git makes one for each clone, which costs more than anything else it does.
    if (Object.keys(files).length > FEW_FILES) await runGit(["repack", "-a", "-d", "--quiet"], { cwd: path });
  } else {
    await runGit(["clone", "--quiet", "--bare", "--no-hardlinks", resolve(options.from), path]);
    await runGit(["remote", "remove", "origin"], { cwd: path });
    if (options.defaultBranch !== undefined)
      await runGit(["symbolic-ref", "HEAD", `refs/heads/${branch}`], { cwd: path });
  }
  await appendFile(join(path, "config"), SERVED);
  await guardWorkflows(path);
  return bareRepository(path);
}

const FEW_FILES = 100;

const SERVED = `
[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
[http]
	receivepack = true
[receive]
	autogc = false
[gc]
	auto = 0
`;

async function firstCommit(folder: string, bare: string, files: Record<string, string>): Promise<void> {
  const work = await mkdtemp(join(folder, "first-"));
  const env = { GIT_DIR: bare, GIT_WORK_TREE: work, GIT_INDEX_FILE: `${work}.index` };
  for (const [path, contents] of Object.entries(files)) {
    await mkdir(dirname(join(work, path)), { recursive: true });
    await writeFile(join(work, path), contents);
  }
  await runGit(["add", "--all", "--force"], { cwd: work, env });
  await runGit(["commit", "--quiet", "--allow-empty", "--message=First commit"], { cwd: work, env });
  for (const made of [work, `${work}.index`]) await rm(made, { recursive: true, force: true });
}
