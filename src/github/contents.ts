import type { Octokit } from "@octokit/rest";
import { type FoundText, readUtf8 } from "../text/found-text.ts";
import { attempt, isHttpFailure, isRateLimited } from "./errors.ts";
import type { GithubRepository } from "./repository.ts";

/**
 * A text file of `owner/<name>` on its default branch; undefined when it is missing or out of reach. A run's token
 * reaches only its own repository and public ones. For another private repository we ask for a token of its own, which
 * GitHub gives if the app is installed there, too. GitHub follows a link to a file of the same repository, and only a
 * listing of the folder tells: a link is not read, since the rules that hold for its path do not hold for what it names.
 */
export async function readFile(
  repository: GithubRepository,
  name: string,
  path: string,
): Promise<FoundText | undefined> {
  const data = await contentsOf(repository, name, path);
  if (data === undefined) return undefined;
  if (Array.isArray(data)) return { unreadable: "is a folder" };
  if (data.type !== "file") return { unreadable: "is a link or a submodule" };
  // Above 1 MB the encoding is "none", and the content is empty.
  if (data.encoding !== "base64") return { unreadable: "is larger than 1 MB" };
  const folder = await contentsOf(repository, name, path.slice(0, Math.max(0, path.lastIndexOf("/"))));
  const listed = Array.isArray(folder) ? folder.find((entry) => entry.name === data.name) : undefined;
  if (listed?.type === "symlink") return { unreadable: "is a link" };
  return readUtf8(Buffer.from(data.content, "base64"));
}

/** The names in a folder, reached like a file; none when there is no such folder. */
export async function listFolder(repository: GithubRepository, name: string, path: string): Promise<readonly string[]> {
  const data = await contentsOf(repository, name, path);
  return Array.isArray(data) ? data.map((entry) => entry.name) : [];
}

function contentsOf(repository: GithubRepository, name: string, path: string): Promise<Contents | undefined> {
  const { client, readerFor, owner, repo } = repository;
  return attempt(`read ${path || "the root"} of ${owner}/${name}`, async () => {
    const place = { owner, repo: name, path };
    // In its own repository, only a file that is not there may count as none.
    if (name.toLowerCase() === repo.toLowerCase()) return contents(client, place, isMissing);
    return (await contents(client, place, isOutOfReach)) ?? contents(readerFor(name), place, isOutOfReach);
  });
}

type Contents = Awaited<ReturnType<Octokit["rest"]["repos"]["getContent"]>>["data"];

async function contents(
  client: Octokit,
  place: { owner: string; repo: string; path: string },
  isNone: (error: unknown) => boolean,
): Promise<Contents | undefined> {
  try {
    return (await client.rest.repos.getContent(place)).data;
  } catch (error) {
    if (isNone(error)) return undefined;
    throw error;
  }
}

const isMissing = (error: unknown): boolean => isHttpFailure(error) && error.status === 404;

/** GitHub answers the request for a token with 422 when the app is not installed on that repository. */
function isOutOfReach(error: unknown): boolean {
  return isHttpFailure(error) && [403, 404, 422].includes(error.status) && !isRateLimited(error);
}
