import type { RepositoryId } from "../model/repository-id.ts";
import type { CheckApi } from "./check-api.ts";
import type { CommitApi } from "./commit-api.ts";
import type { IssueApi } from "./issue-api.ts";
import type { PullRequestApi } from "./pull-request-api.ts";

/** The host of one repository (GitHub, or a GitHub Enterprise Server), acting as the app. */
export interface CodeHost extends IssueApi, PullRequestApi, CommitApi, CheckApi {
  /** the app's own login, e.g. `magis[bot]`, or that of the person as whom it acts */
  readonly login: string;
  /** of a person as whom it acts: commits are pushed in this name; absent: the host makes them, as the app */
  readonly author?: { readonly name: string; readonly email: string };
  /** where git finds the repository, and the token it needs */
  readonly cloneUrl: string;
  cloneToken(): Promise<string>;
}

/** Gives the host of a repository, acting as the app's installation there. */
export type OpenCodeHost = (repository: RepositoryId) => Promise<CodeHost>;
