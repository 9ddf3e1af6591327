import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { createAppAuth } from "@octokit/auth-app";
import type { Octokit } from "@octokit/rest";
import { MagisError } from "../../model/error.ts";
import type { RepositoryId } from "../../model/run-request.ts";
import type { Audit } from "../../ports/audit.ts";
import type { OpenCodeHost } from "../../ports/code-host.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { Traces } from "../../ports/traces.ts";
import type { WriteAccounts } from "../../ports/write-account.ts";
import { createCheckApi } from "./checks.ts";
import {
  type ClientSettings,
  createClient,
  createRequestLane,
  type GithubRepository,
  type RequestLane,
  type Writes,
} from "./client.ts";
import { createCommitApi } from "./commits.ts";
import { createConditional } from "./conditional.ts";
import { attempt, isHttpFailure } from "./errors.ts";
import { createIssueApi } from "./issues.ts";
import { createMemoryAccounts } from "./memory-accounts.ts";
import { createPullRequestApi } from "./pull-requests.ts";
import { createPulse, type Pulse } from "./pulse.ts";
import { traced } from "./traced.ts";
import { createWritePacer, type WritePacer } from "./write-pacer.ts";

export interface GithubOptions {
  readonly appId: number | string;
  /** PEM */
  readonly privateKey: string;
  /** root of the REST API (GraphQL's is derived from it): `https://api.github.com`, `https://ghe.example.com/api/v3` */
  readonly apiUrl: string;
  /** `https://github.com`; git's addresses append `/owner/name.git` */
  readonly webUrl: string;
  readonly fetch?: typeof fetch | undefined;
  readonly log: ClientSettings["log"];
  /** the longest wait for one rate limit; 20 s by default, because for longer waits the whole run is suspended */
  readonly maxWaitSeconds?: number | undefined;
  /** where writes are counted; this process's memory by default */
  readonly accounts?: WriteAccounts | undefined;
  readonly metrics?: Metrics;
  readonly traces?: Traces | undefined;
  /** tracks every request, so that `/readyz` can tell whether they end */
  readonly pulse?: Pulse | undefined;
  /** absent where no audit log is kept */
  readonly audit?: Audit | undefined;
}

/** The same `fetch`, which reports what GitHub answered, and how many requests it leaves to an installation. */
function metered(send: typeof fetch, metrics: Metrics | undefined, installation?: number): typeof fetch {
  if (metrics === undefined) return send;
  return async (input, init) => {
    const response = await send(input, init).catch((error: unknown) => {
      metrics.githubAnswered(0);
      throw error;
    });
    const remaining = Number(response.headers.get("x-ratelimit-remaining") ?? Number.NaN);
    const isCounted = response.headers.get("x-ratelimit-resource") === "core" && Number.isInteger(remaining);
    const left = installation !== undefined && isCounted ? { installation, remaining } : undefined;
    metrics.githubAnswered(response.status, left);
    return response;
  };
}

export function clientSettings(options: Omit<GithubOptions, "appId" | "privateKey">): ClientSettings {
  const { apiUrl: baseUrl, log, maxWaitSeconds = 20 } = options;
  const send: typeof fetch = options.fetch ?? ((...request) => fetch(...request));
  return { baseUrl, log, maxWaitSeconds, fetch: send, timeoutMs: 60_000, pulse: options.pulse ?? createPulse() };
}

/** The host's APIs for one repository, and its address for git. */
export function hostApis(repository: GithubRepository, web: string) {
  return {
    ...createIssueApi(repository),
    ...createPullRequestApi(repository),
    ...createCommitApi(repository),
    ...createCheckApi(repository),
    cloneUrl: `${web}/${repository.owner}/${repository.repo}.git`,
  };
}

/**
 * Opens hosts of repositories on GitHub, acting as the app's installation there. The first one asks GitHub who the app
 * is, and throws like any other call (IssueApi).
 */
export function createOpenCodeHost(options: GithubOptions): OpenCodeHost {
  const { appId, privateKey, webUrl: web } = options;
  const settings = clientSettings(options);
  const { maxWaitSeconds } = settings;
  const send = traced(settings.fetch, options.traces);
  const ofApp = { ...settings, fetch: metered(send, options.metrics) };
  const app = createClient(ofApp, { authStrategy: createAppAuth, auth: { appId, privateKey } }, createRequestLane());
  const conditional = createConditional();
  const pacers = new Map<number, WritePacer>();
  const lanes = new Map<number, RequestLane>();
  let identity: Promise<{ appId: number; login: string }> | undefined;

  const identify = async (): Promise<{ appId: number; login: string }> => {
    const { data } = await attempt("say who the app is", () => app.rest.apps.getAuthenticated());
    if (data?.slug) return { appId: data.id, login: `${data.slug}[bot]` };
    throw new MagisError("HOST_REFUSED", "GitHub does not say what the app is called.");
  };
  const { accounts = createMemoryAccounts() } = options;
  const pacerOf = (installation: number): WritePacer => {
    const pacer = pacers.get(installation) ?? createWritePacer(maxWaitSeconds, accounts.of(installation));
    pacers.set(installation, pacer);
    return pacer;
  };

  return async (id, run) => {
    identity ??= identify();
    const self = await identity.catch((error: unknown) => {
      identity = undefined;
      throw error;
    });
    const tokens = createTokenSource(app, id);
    const pacer = pacerOf(id.installationId);
    const holder = run ?? randomUUID();
    const lane = lanes.get(id.installationId) ?? createRequestLane();
    lanes.set(id.installationId, lane);
    const writes = { pacer, writer: run, record: recordOf(id, options.audit) };
    const own = { ...settings, fetch: conditional(metered(send, options.metrics, id.installationId)) };
    const clientOf = (source: TokenSource) =>
      createClient(own, { authStrategy: createTokenStrategy(source) }, lane, writes);
    const readerFor = (name: string) => clientOf(createTokenSource(app, { ...id, name }, { contents: "read" }));
    const client = clientOf(tokens);
    const repository = { client, readerFor, fetch: send, owner: id.owner, repo: id.name, ...self };
    return {
      ...hostApis(repository, web),
      login: self.login,
      reserveWrites: (count) => pacer.reserve(holder, count),
      cloneToken: () => attempt("give a token for cloning", () => tokens()),
    };
  };
}

function recordOf({ owner, name }: RepositoryId, audit: Audit | undefined): Writes["record"] {
  return audit && ((write) => audit({ what: "write", repository: `${owner}/${name}`, ...write }));
}

/** Gives an installation token; `renew` gets a new one although the last seems valid. */
export type TokenSource = (renew?: boolean) => Promise<string>;

/** Enough time left for the clone of a large repository. */
const MIN_LIFE_MS = 5 * 60_000;

/**
 * Installation tokens for `repository` only. A run can outlive the hour for which they are valid, so ask each time; the
 * app's client caches them until shortly before they expire.
 * @param app a client that authenticates as the app
 * @param permissions by default all of the installation's
 */
function createTokenSource(
  app: Octokit,
  repository: RepositoryId,
  permissions?: Readonly<Record<string, "read" | "write">>,
): TokenSource {
  const { owner, name: repo } = repository;
  const read = async (refresh: boolean): Promise<{ token: string; expiresAt: string }> => {
    try {
      return await tokenOf(repository.installationId, refresh);
    } catch (error) {
      if (!isHttpFailure(error) || error.status !== 404) throw error;
      // An app that was uninstalled and installed again has a new installation.
      const { data } = await app.rest.apps.getRepoInstallation({ owner, repo });
      if (data.id === repository.installationId) throw error;
      return tokenOf(data.id, refresh);
    }
  };
  const tokenOf = async (installationId: number, refresh: boolean) =>
    (await app.auth({
      type: "installation",
      installationId,
      repositoryNames: [repository.name],
      permissions,
      refresh,
    })) as { token: string; expiresAt: string };

  return async (renew = false) => {
    const current = await read(renew);
    const expiring = Date.parse(current.expiresAt) - Date.now() < MIN_LIFE_MS;
    return expiring && !renew ? (await read(true)).token : current.token;
  };
}

/**
 * An authentication strategy that takes the token from `tokens` before each request. A refused token was revoked, or is
 * so new that not all of GitHub's servers know it: get a new one, and try that once more after a second.
 */
function createTokenStrategy(tokens: TokenSource) {
  const hook = async <Options extends { headers: object }, Answer>(
    send: (options: Options) => Promise<Answer>,
    options: Options,
  ): Promise<Answer> => {
    for (let refused = 0; ; refused++) {
      const token = await tokens(refused === 1);
      try {
        return await send({ ...options, headers: { ...options.headers, authorization: `token ${token}` } });
      } catch (error) {
        if (!isHttpFailure(error) || error.status !== 401 || refused === 2) throw error;
        if (refused === 1) await wait(1000);
      }
    }
  };
  return () => Object.assign(async () => ({ type: "token", token: await tokens() }), { hook });
}
