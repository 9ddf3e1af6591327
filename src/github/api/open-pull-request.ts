import type { HostPullRequest, NewPullRequest } from "../../ports/pull-request-api.ts";
import { attempt } from "./attempt.ts";
import { fitBody } from "./fit-body.ts";
import { fitTitle } from "./fit-title.ts";
import type { GithubRepository } from "./github-repository.ts";
import { isHttpFailure } from "./is-http-failure.ts";
import { toHostPullRequest } from "./to-host-pull-request.ts";

/**
 * Opens a pull request within the repository. Private repositories on some plans have no drafts:
 * there it is opened as an ordinary one, which the answer's `draft` tells.
 */
export function openPullRequest(repository: GithubRepository, wanted: NewPullRequest): Promise<HostPullRequest> {
  const { client, owner, repo } = repository;
  const create = async (draft: boolean): Promise<HostPullRequest> => {
    const { branch: head, base } = wanted;
    const text = { title: fitTitle(wanted.title), body: fitBody(wanted.body) };
    const { data } = await client.rest.pulls.create({ owner, repo, head, base, draft, ...text });
    return toHostPullRequest(repository, data as Parameters<typeof toHostPullRequest>[1]);
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
