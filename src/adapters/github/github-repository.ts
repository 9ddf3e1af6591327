import type { Octokit } from "@octokit/rest";

/** What every desk needs: one repository, a client with access to it, and who the app is. */
export interface GithubRepository {
  readonly client: Octokit;
  readonly owner: string;
  readonly repo: string;
  /** the app's id */
  readonly appId: number;
  /** the app's login, `<slug>[bot]` */
  readonly login: string;
}
