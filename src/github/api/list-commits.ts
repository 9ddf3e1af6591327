import type { PullRequestApi } from "../../ports/pull-request-api.ts";
import { attempt } from "./attempt.ts";
import type { GithubRepository } from "./github-repository.ts";
import { isOwn } from "./is-own.ts";

/**
 * The commits of a pull request, oldest first; GitHub lists no more than 250.
 * A commit is the app's when GitHub finds the app's account behind its author, which a person who may push could forge.
 */
export function listCommits(
  repository: GithubRepository,
  pullRequest: number,
): ReturnType<PullRequestApi["listCommits"]> {
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
