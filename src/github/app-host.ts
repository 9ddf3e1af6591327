import type { Octokit } from "@octokit/rest";
import { MagisError } from "../data/error.ts";
import { type AppKey, byTokens, openAppAccess, type TokenSource } from "./access.ts";
import { artifact, artifactsOf, jobLog, jobOf } from "./actions.ts";
import * as checks from "./checks.ts";
import { clockOf, createClient, fetchOf, type GithubOptions, paceFor } from "./client.ts";
import type { CodeHost, OpenCodeHost } from "./code-host.ts";
import * as contents from "./contents.ts";
import { attempt } from "./errors.ts";
import * as git from "./git.ts";
import * as issues from "./issues.ts";
import type { Pace } from "./pace.ts";
import * as pulls from "./pull-requests.ts";
import { pullsAbout } from "./pulls-about.ts";
import type { GithubRepository } from "./repository.ts";
import * as reviews from "./reviews.ts";

type Api = Omit<CodeHost, "login" | "author" | "cloneUrl" | "cloneToken">;

/** All reads and writes, each a function of the repository. */
const CALLS: {
  readonly [Name in keyof Api]: (
    repository: GithubRepository,
    ...given: Parameters<Api[Name]>
  ) => ReturnType<Api[Name]>;
} = {
  ...issues,
  ...pulls,
  ...reviews,
  ...git,
  ...contents,
  ...checks,
  pullsAbout,
  jobOf,
  jobLog,
  artifactsOf,
  artifact,
};

/** The host's APIs for one repository, and its address for git. */
export function hostApis(repository: GithubRepository, web: string) {
  type Call = (repository: GithubRepository, ...given: unknown[]) => unknown;
  const calls = Object.entries(CALLS as Record<string, Call>);
  const ofRepository = calls.map(([name, call]) => [name, (...given: unknown[]) => call(repository, ...given)]);
  return {
    ...(Object.fromEntries(ofRepository) as Api),
    cloneUrl: `${web}/${repository.owner}/${repository.repo}.git`,
  };
}

/**
 * Opens hosts of repositories on GitHub, acting as the app's installation there. The first one asks GitHub who the app
 * is, and throws like any method of `CodeHost`.
 */
export function createOpenCodeHost(options: GithubOptions & AppKey): OpenCodeHost {
  const { appId, privateKey, webUrl: web } = options;
  const app = openAppAccess({ appId, privateKey }, (authentication) => createClient(options, { authentication }));
  const paces = new Map<number, Pace>();
  const paceOf = (installation: number): Pace => {
    const pace = paces.get(installation) ?? paceFor(options);
    paces.set(installation, pace);
    return pace;
  };
  let identity: ReturnType<typeof identify> | undefined;

  return async (id) => {
    const { installationId, owner, name: repo } = id;
    identity ??= identify(app.client);
    const self = await identity.catch((error: unknown) => {
      identity = undefined;
      throw error;
    });
    const asker = { installation: installationId, repository: `${owner}/${repo}`, pace: paceOf(installationId) };
    const clock = clockOf(options);
    const clientOf = (source: TokenSource) =>
      createClient(options, { ...asker, authentication: byTokens(source, clock) });
    const tokens = app.tokensFor({ installationId, repository: id });
    const readerFor = (name: string) =>
      clientOf(app.tokensFor({ installationId, repository: { owner, name }, permissions: { contents: "read" } }));
    const repository = { client: clientOf(tokens), readerFor, fetch: fetchOf(options), clock, owner, repo, ...self };
    return {
      ...hostApis(repository, web),
      login: self.login,
      cloneToken: () => attempt("give a token for cloning", () => tokens()),
    };
  };
}

async function identify(app: Octokit): Promise<{ appId: number; login: string }> {
  const { data } = await attempt("say who the app is", () => app.rest.apps.getAuthenticated());
  if (data?.slug) return { appId: data.id, login: `${data.slug}[bot]` };
  throw new MagisError("HOST_REFUSED", "GitHub does not say what the app is called.");
}
