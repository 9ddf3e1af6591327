import { createAppAuth } from "@octokit/auth-app";
import { MagisError } from "../../model/magis-error.ts";
import type { OpenCodeHost } from "../../ports/code-host.ts";
import { attempt } from "./attempt.ts";
import { createCheckApi } from "./create-check-api.ts";
import { type ClientSettings, createClient } from "./create-client.ts";
import { createCommitApi } from "./create-commit-api.ts";
import { createIssueApi } from "./create-issue-api.ts";
import { createPullRequestApi } from "./create-pull-request-api.ts";
import { createTokenSource, type TokenSource } from "./create-token-source.ts";
import { createTokenStrategy } from "./create-token-strategy.ts";
import { createWritePacer, type WritePacer } from "./create-write-pacer.ts";

export interface GithubOptions {
  readonly appId: number | string;
  /** PEM */
  readonly privateKey: string;
  /** root of the REST API, from which the client derives GraphQL's: `https://api.github.com`, `https://ghe.example.com/api/v3` */
  readonly apiUrl: string;
  /** what `/owner/name.git` is appended to: `https://github.com` */
  readonly webUrl: string;
  readonly fetch?: typeof fetch | undefined;
  readonly log: ClientSettings["log"];
  /** the longest that one rate limit is waited for; 15 minutes when absent */
  readonly maxWaitSeconds?: number | undefined;
}

/**
 * Gives hosts of repositories on GitHub, acting as the app's installation there.
 * Opening one asks GitHub once who the app is, and throws like any other call (IssueApi).
 */
export function createOpenCodeHost(options: GithubOptions): OpenCodeHost {
  const { appId, privateKey, log, maxWaitSeconds = 900 } = options;
  const { apiUrl: baseUrl, webUrl: web } = options;
  const send: typeof fetch = options.fetch ?? ((...request) => fetch(...request));
  const settings: ClientSettings = { baseUrl, log, maxWaitSeconds, fetch: send, timeoutMs: 60_000 };
  const app = createClient(settings, { authStrategy: createAppAuth, auth: { appId, privateKey } }, `app ${baseUrl}`);
  const pacers = new Map<number, WritePacer>();
  let identity: Promise<{ appId: number; login: string }> | undefined;

  const identify = async (): Promise<{ appId: number; login: string }> => {
    const { data } = await attempt("say who the app is", () => app.rest.apps.getAuthenticated());
    if (data?.slug) return { appId: data.id, login: `${data.slug}[bot]` };
    throw new MagisError("HOST_REFUSED", "GitHub does not say what the app is called.");
  };
  const pacerOf = (installation: number): WritePacer => {
    const pacer = pacers.get(installation) ?? createWritePacer(maxWaitSeconds);
    pacers.set(installation, pacer);
    return pacer;
  };

  return async (id) => {
    identity ??= identify();
    const self = await identity.catch((error: unknown) => {
      identity = undefined;
      throw error;
    });
    const tokens = createTokenSource(app, id);
    const throttleId = `${baseUrl} ${id.installationId}`;
    const clientOf = (source: TokenSource) =>
      createClient(settings, { authStrategy: createTokenStrategy(source) }, throttleId, pacerOf(id.installationId));
    const readerFor = (name: string) => clientOf(createTokenSource(app, { ...id, name }, { contents: "read" }));
    const client = clientOf(tokens);
    const repository = { client, readerFor, fetch: send, owner: id.owner, repo: id.name, ...self };
    return {
      ...createIssueApi(repository),
      ...createPullRequestApi(repository),
      ...createCommitApi(repository),
      ...createCheckApi(repository),
      login: self.login,
      cloneUrl: `${web}/${id.owner}/${id.name}.git`,
      cloneToken: () => attempt("give a token for cloning", () => tokens()),
    };
  };
}
