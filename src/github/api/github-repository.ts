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
