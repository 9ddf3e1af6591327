import type { GithubRepository } from "./github-repository.ts";

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
