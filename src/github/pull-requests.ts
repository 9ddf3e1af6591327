import type { RestEndpointMethodTypes } from "@octokit/rest";
import type { CodeHost, HostPullRequest, Mergeability, NewPullRequest, PullChange } from "./code-host.ts";
import { attempt, isHttpFailure } from "./errors.ts";
import type { OwnWrite } from "./posted-fields.ts";

import { FULL, type GithubRepository, htmlOf, isOwn } from "./repository.ts";

const READY = `mutation ($pull: ID!) {
  markPullRequestReadyForReview(input: { pullRequestId: $pull }) { pullRequest { isDraft } }
}`;

const MERGEABLE = `query ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) { mergeable mergeStateStatus } }
}`;

export function findOwnPullRequests(
  github: GithubRepository,
  branchPrefix: string,
  state: "open" | "all",
  base?: string,
): Promise<readonly HostPullRequest[]> {
  const { client, owner, repo } = github;
  return attempt("list the app's pull requests", async () => {
    const found: HostPullRequest[] = [];
    const query = { owner, repo, state, base, sort: "created", direction: "desc", per_page: 100 } as const;
    for await (const { data } of client.paginate.iterator(client.rest.pulls.list, query)) {
      const fromHere = data.filter((pull) => pull.head.repo?.id === pull.base.repo.id);
      found.push(...fromHere.map((pull) => toHostPullRequest(github, pull)));
    }
    return found.filter((pull) => pull.byApp && pull.branch.startsWith(branchPrefix));
  });
}

export function readPullRequest(github: GithubRepository, number: number): Promise<HostPullRequest> {
  const { client, owner, repo } = github;
  return attempt(`read pull request #${number}`, async () => {
    const { data } = await client.rest.pulls.get({ owner, repo, pull_number: number, ...FULL });
    return toHostPullRequest(github, data as PullRequest);
  });
}

const MAX_CHANGES = 30;

export function changesOf({ client, owner, repo }: GithubRepository, number: number): Promise<readonly PullChange[]> {
  return attempt(`read the changes of pull request #${number}`, async () => {
    const { data } = await client.rest.pulls.listFiles({ owner, repo, pull_number: number, per_page: MAX_CHANGES });
    return data.map(({ filename, additions, deletions, patch = "" }) => ({
      path: filename,
      added: additions,
      removed: deletions,
      patch,
    }));
  });
}

export function markReady({ client, owner, repo }: GithubRepository, number: number): Promise<void> {
  return attempt(`take pull request #${number} out of draft`, async () => {
    const { data } = await client.rest.pulls.get({ owner, repo, pull_number: number });
    if (data.draft) await client.graphql(READY, { pull: data.node_id });
  });
}

export function updatePullRequest(
  { client, owner, repo }: GithubRepository,
  number: number,
  change: { title?: string; body?: string; state?: "closed" },
): Promise<void> {
  const { pulls } = client.rest;
  return attempt(`edit pull request #${number}`, async () => {
    const place = { owner, repo, pull_number: number };
    // Keeps the lines that people may have edited.
    const own: OwnWrite = change.body === undefined ? {} : { before: (await pulls.get(place)).data.body ?? "" };
    await pulls.update({ ...place, ...change, request: { own } });
  });
}

/**
 * Opens a pull request within the repository. Private repositories on some plans have no drafts: there it becomes an
 * ordinary one, as the answer's `draft` shows.
 */
export function openPullRequest(repository: GithubRepository, wanted: NewPullRequest): Promise<HostPullRequest> {
  const { client, owner, repo } = repository;
  const create = async (draft: boolean): Promise<HostPullRequest> => {
    const { branch: head, base } = wanted;
    const { title, body } = wanted;
    const { data } = await client.rest.pulls.create({ owner, repo, head, base, draft, title, body });
    return toHostPullRequest(repository, data as PullRequest);
  };
  return attempt("open a pull request", async () => {
    try {
      return await create(wanted.draft);
    } catch (error) {
      const noDrafts =
        isHttpFailure(error) && error.status === 422 && /draft pull requests are not/i.test(error.message);
      if (wanted.draft && noDrafts) return create(false);
      throw error;
    }
  });
}

/** GitHub computes it when it is asked for, in seconds. */
const ASK_AGAIN_AFTER_MS = [1_000, 2_000, 4_000];

interface Mergeable {
  repository: {
    pullRequest: {
      mergeable: "CONFLICTING" | "MERGEABLE" | "UNKNOWN";
      mergeStateStatus: string;
    };
  };
}

export async function mergeability(
  { client, clock, owner, repo }: GithubRepository,
  number: number,
): Promise<Mergeability> {
  for (const pause of [...ASK_AGAIN_AFTER_MS, undefined]) {
    const { repository } = await attempt(`ask whether #${number} conflicts with its base`, () =>
      client.graphql<Mergeable>(MERGEABLE, { owner, repo, number }),
    );
    const { mergeable, mergeStateStatus: status } = repository.pullRequest;
    if (mergeable === "CONFLICTING") return "conflicting";
    if (mergeable === "MERGEABLE") return status === "BEHIND" ? "behind" : "clean";
    if (pause !== undefined) await clock.wait(pause);
  }
  return "unknown";
}

/**
 * The commits of a pull request, oldest first; GitHub lists no more than 250. A commit is the app's when GitHub maps
 * its author to the app's account, which anybody with push access could forge.
 */
export function listCommits(repository: GithubRepository, pullRequest: number): ReturnType<CodeHost["listCommits"]> {
  const { client, owner, repo } = repository;
  return attempt(`list the commits of #${pullRequest}`, async () => {
    const query = { owner, repo, pull_number: pullRequest, per_page: 100 };
    const rows = await client.paginate(client.rest.pulls.listCommits, query);
    return rows.map(({ sha, author, commit }) => ({
      id: sha,
      author: author?.login ?? commit.author?.name ?? "ghost",
      byApp: author !== null && isOwn(repository, { user: author as { login: string; type: string } }),
    }));
  });
}

type PullRequest = RestEndpointMethodTypes["pulls"]["list"]["response"]["data"][number];

/** GitHub's pull request, from a list or by itself, in the port's terms. */
function toHostPullRequest(app: GithubRepository, pull: PullRequest): HostPullRequest {
  return {
    number: pull.number,
    url: pull.html_url,
    title: pull.title,
    body: pull.body ?? "",
    html: htmlOf(pull),
    open: pull.state === "open",
    merged: Boolean(pull.merged_at),
    createdAt: pull.created_at,
    endedAt: pull.merged_at ?? pull.closed_at ?? undefined,
    draft: pull.draft ?? false,
    locked: pull.locked,
    branch: pull.head.ref,
    head: pull.head.sha,
    base: pull.base.ref,
    author: pull.user?.login ?? "ghost",
    byApp: isOwn(app, pull),
    mergeCommit: pull.merged_at ? (pull.merge_commit_sha ?? undefined) : undefined,
  };
}
