import { MagisError } from "../../model/magis-error.ts";
import type { RepositorySource } from "../../ports/repository.ts";
import { collectBody } from "./collect-body.ts";
import { type GitLimits, gitLimits } from "./git-limits.ts";
import { createGitTransport } from "./git-transport.ts";
import { gitUrl } from "./git-url.ts";
import { parseAdvertisement } from "./parse-advertisement.ts";

/**
 * The id of a commit of the repository at `url`, over http or https: that of the branch or tag `revision`, or of HEAD. A
 * full commit id is taken as it is; whether the server gives it shows when it is fetched.
 * Throws GIT_NOT_FOUND when there is none, and what `OpenRepository` throws of the connection.
 */
export async function findRemoteCommit(
  { url: address, token, signal }: Omit<RepositorySource, "commit">,
  revision: string | undefined,
  limits: Partial<GitLimits> = {},
): Promise<string> {
  const url = gitUrl(address);
  if (revision !== undefined && /^[0-9a-f]{40}$/.test(revision)) return revision;
  const transport = createGitTransport({ url, token, signal, limits: gitLimits(limits) });
  const { body } = await transport({ method: "GET", path: "/info/refs?service=git-upload-pack" });
  const server = parseAdvertisement(await collectBody(body));
  if (!server) throw new MagisError("GIT_UNREACHABLE", "The server does not answer like a git server.");
  const names = revision === undefined ? ["HEAD"] : [revision, `refs/heads/${revision}`, `refs/tags/${revision}`];
  const found = names.map((name) => server.peeled.get(name) ?? server.refs.get(name)).find((id) => id !== undefined);
  if (found !== undefined) return found;
  const what = revision === undefined ? "has no commits yet" : `has no branch or tag ${revision}`;
  throw new MagisError("GIT_NOT_FOUND", `The repository at ${url} ${what}.`);
}
