import { createAppAuth } from "@octokit/auth-app";
import type { Octokit } from "@octokit/rest";
import type { RepositoryId } from "../data/run-request.ts";
import { shared } from "./abortable.ts";
import { isHttpFailure } from "./errors.ts";
import { CLOCK, type Clock } from "./pace.ts";

/** How each attempt at a request proves who asks, in the library's terms; `{}`: nobody, for what everybody may read. */
export type Authentication = Pick<NonNullable<ConstructorParameters<typeof Octokit>[0]>, "authStrategy" | "auth">;

/** Gives a token; `renew` gets a new one although the last seems valid. */
export type TokenSource = (renew?: boolean) => Promise<string>;

/**
 * With the token that `tokens` gives for each attempt. A refused token was revoked, or is so new that not all of
 * GitHub's servers know it: get a new one, and try that once more after a second.
 */
export function byTokens(tokens: TokenSource, clock: Clock = CLOCK): Authentication {
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
        if (refused === 1) await clock.wait(1000);
      }
    }
  };
  return { authStrategy: () => Object.assign(async () => ({ type: "token", token: await tokens() }), { hook }) };
}

export interface AppKey {
  appId: number | string;
  /** PEM */
  privateKey: string;
}

/** What an installation's token reaches: one of its repositories, and by default all that the app may do there. */
export interface Reach {
  installationId: number;
  /** absent: all that the app is installed on */
  repository?: Pick<RepositoryId, "owner" | "name"> | undefined;
  permissions?: Readonly<Record<string, "read" | "write">> | undefined;
}

/** The app itself on GitHub, which signs its requests and gets tokens of its installations. */
export interface AppAccess {
  client: Octokit;
  /** A source of tokens; makes no request by itself. */
  tokensFor(reach: Reach): TokenSource;
}

interface Token {
  token: string;
  expiresAt: string;
}

/** Enough time left for the clone of a large repository. */
const MIN_LIFE_MS = 5 * 60_000;

/** Opens the app's own access. `open` makes a client that authenticates so. */
export function openAppAccess(key: AppKey, open: (authentication: Authentication) => Octokit): AppAccess {
  const client = open({ authStrategy: createAppAuth, auth: key });
  return { client, tokensFor: (reach) => createTokenSource(client, reach) };
}

/**
 * A run can outlive the hour for which a token is valid, so the source is asked each time; the library keeps tokens
 * until shortly before they expire.
 */
function createTokenSource(app: Octokit, { installationId: known, repository, permissions }: Reach): TokenSource {
  const repositoryNames = repository && [repository.name];
  const tokenOf = async (installationId: number, refresh: boolean) =>
    (await app.auth({ type: "installation", installationId, repositoryNames, permissions, refresh })) as Token;
  const read = async (refresh: boolean) => {
    try {
      return await tokenOf(known, refresh);
    } catch (error) {
      if (!repository || !isHttpFailure(error) || error.status !== 404) throw error;
      // An app that was uninstalled and installed again has a new installation.
      const { owner, name: repo } = repository;
      const { data } = await app.rest.apps.getRepoInstallation({ owner, repo });
      if (data.id === known) throw error;
      return tokenOf(data.id, refresh);
    }
  };
  const give = async (renew: boolean) => {
    const current = await read(renew);
    const expiring = Date.parse(current.expiresAt) - Date.now() < MIN_LIFE_MS;
    return expiring && !renew ? (await read(true)).token : current.token;
  };
  // The library asks for the same token once, whoever wants it.
  return (renew = false) => shared(() => give(renew));
}
