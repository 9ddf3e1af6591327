import type { RestEndpointMethodTypes } from "@octokit/rest";
import type { HostPullRequest } from "../../ports/pull-request-api.ts";
import type { GithubRepository } from "./github-repository.ts";
import { isOwn } from "./is-own.ts";

type PullRequest = RestEndpointMethodTypes["pulls"]["list"]["response"]["data"][number];

/** GitHub's pull request, as it stands in a list, in the port's terms. */
export function toHostPullRequest(app: GithubRepository, pull: PullRequest): HostPullRequest {
  return {
    number: pull.number,
    url: pull.html_url,
    title: pull.title,
    body: pull.body ?? "",
    open: pull.state === "open",
    merged: Boolean(pull.merged_at),
    draft: pull.draft ?? false,
    branch: pull.head.ref,
    head: pull.head.sha,
    base: pull.base.ref,
    author: pull.user?.login ?? "ghost",
    byApp: isOwn(app, pull),
  };
}
