import type { Octokit } from "@octokit/rest";
import type { Clock } from "./pace.ts";

/** One repository, a client with access to it, and the account that writes. */
export interface GithubRepository {
  client: Octokit;
  /**
   * gives a client that reads files of another repository of the owner, with a token for that alone; makes no request
   */
  readerFor: (repo: string) => Octokit;
  /** without the app's token, for files that GitHub keeps on other hosts */
  fetch: typeof fetch;
  clock: Clock;
  owner: string;
  repo: string;
  /** the app's id; absent for other tokens, whose texts are recognised by the login alone */
  appId?: number;
  /** the login of the app, `<slug>[bot]`, or of the token's owner */
  login: string;
}

/** Asks for texts as GitHub shows them, too. */
export const FULL = { headers: { accept: "application/vnd.github.full+json" } } as const;

/** How GitHub shows a text. Octokit's types lack it for pull requests, and it can be null. */
export function htmlOf(row: object): string | undefined {
  const html: unknown = "body_html" in row ? row.body_html : undefined;
  return typeof html === "string" ? html : undefined;
}

interface Authored {
  user: { login: string; type?: string } | null;
  performed_via_github_app?: { id: number } | null;
}

/**
 * True when the app itself wrote it. A person who writes through the app keeps their own login, and no person's login
 * has brackets. Without an app: true when the token's owner wrote it, by any means.
 */
export function isOwn(app: Pick<GithubRepository, "appId" | "login">, thing: Authored): boolean {
  if (app.appId === undefined) return thing.user?.login === app.login;
  const via = thing.performed_via_github_app;
  return thing.user?.login === app.login && thing.user.type === "Bot" && (!via || via.id === app.appId);
}
