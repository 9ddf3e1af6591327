import type { Octokit } from "@octokit/rest";
import { attempt } from "./attempt.ts";
import type { GithubRepository } from "./github-repository.ts";
import { isHttpFailure } from "./is-http-failure.ts";
import { isRateLimited } from "./is-rate-limited.ts";

/**
 * A text file of `owner/<name>` on its default branch; undefined when it is not there, is no file, is larger than
 * 1 MB or cannot be reached.
 * The token of a run reaches its own repository and what is public. For another repository that is private one is
 * asked for that reaches just that repository, which GitHub gives when the app is installed there too.
 */
export function readFile(repository: GithubRepository, name: string, path: string): Promise<string | undefined> {
  const { client, readerFor, owner, repo } = repository;
  return attempt(`read ${path} of ${owner}/${name}`, async () => {
    const found = await contents(client, { owner, repo: name, path });
    if (found !== undefined || name.toLowerCase() === repo.toLowerCase()) return found;
    return contents(readerFor(name), { owner, repo: name, path });
  });
}

async function contents(
  client: Octokit,
  place: { readonly owner: string; readonly repo: string; readonly path: string },
): Promise<string | undefined> {
  try {
    const { data } = await client.rest.repos.getContent(place);
    // Above 1 MB the encoding is "none" and the content empty.
    if (Array.isArray(data) || data.type !== "file" || data.encoding !== "base64") return undefined;
    return new TextDecoder().decode(Buffer.from(data.content, "base64"));
  } catch (error) {
    if (isOutOfReach(error)) return undefined;
    throw error;
  }
}

/** 422 is the answer to the request for a token when the app is not installed on that repository. */
function isOutOfReach(error: unknown): boolean {
  return isHttpFailure(error) && [403, 404, 422].includes(error.status) && !isRateLimited(error);
}
