import type { Octokit } from "@octokit/rest";

/** What every api needs: one repository, a client with access to it, and who writes with it. */
export interface GithubRepository {
  readonly client: Octokit;
  /** a client that reads files of another repository of the same owner, by a token for that alone; asks for nothing yet */
  readonly readerFor: (repo: string) => Octokit;
  /** without the app's token, for what GitHub keeps on other hosts */
  readonly fetch: typeof fetch;
  readonly owner: string;
  readonly repo: string;
  /** the app's id; absent for a token that is not an app's of ours: what it wrote is known by the login alone */
  readonly appId?: number;
  /** the app's login, `<slug>[bot]`, or that of the token's owner */
  readonly login: string;
}

interface Authored {
  readonly user: { readonly login: string; readonly type?: string } | null;
  readonly performed_via_github_app?: { readonly id: number } | null;
}

/**
 * True when the app itself wrote it. A person who writes through the app keeps the person's login,
 * and no person can have a login with brackets. Without an app: when the token's owner wrote it, by whatever means.
 */
export function isOwn(app: Pick<GithubRepository, "appId" | "login">, thing: Authored): boolean {
  if (app.appId === undefined) return thing.user?.login === app.login;
  const via = thing.performed_via_github_app;
  return thing.user?.login === app.login && thing.user.type === "Bot" && (!via || via.id === app.appId);
}
