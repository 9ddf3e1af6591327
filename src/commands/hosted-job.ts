import type { CommentsFrom } from "../data/discussion.ts";
import { MagisError } from "../data/error.ts";
import type { Log } from "../data/log.ts";
import { type RunRequest, repositoryName } from "../data/run-request.ts";
import type { CodeHost, OpenCodeHost } from "../github/code-host.ts";
import { createOpenTokenHost } from "../github/token-host.ts";
import type { Uploads } from "../models/language-model.ts";
import { type AttachmentReader, snapshotIssue } from "../run/snapshot-issue.ts";
import type { CommandConfig } from "../settings/environment/config.ts";
import type { LocalIssue } from "../workflow/dry-run/job.ts";

/**
 * GitHub as the owner of the configured token, or as anybody. Of its log only waits for rate limits are shown.
 * @param login whom to act as, when another token writes; by default the token's owner
 */
export function openTokenHost({ github }: CommandConfig, log: Log, login?: string): OpenCodeHost {
  const quiet = { debug: () => undefined, warn: (_: unknown, message?: string) => message && log.warn({}, message) };
  return createOpenTokenHost({ ...github, log: quiet, login });
}

/**
 * Reads an issue on GitHub and the commit to resolve it on, the default branch's or that of `base`. Throws HOST_NOT_FOUND
 * for a pull request, for a branch that is not there, and what the host throws.
 */
export async function hostedJob(
  request: RunRequest,
  host: CodeHost,
  { base, uploads, signal }: { base: string | undefined; uploads: Uploads; signal: AbortSignal },
): Promise<LocalIssue> {
  const { id, repository, requestedAt, issue: number } = request;
  const shown = await readIssueOnly(number, host);
  const comments = await host.listComments(number);
  const commit = base === undefined ? (await host.defaultBranch()).commit : await host.branchTip(base);
  if (commit === undefined) throw new MagisError("HOST_NOT_FOUND", `There is no branch ${base} in the repository.`);
  const issueFrom = (from: CommentsFrom, more?: AttachmentReader) =>
    snapshotIssue(request, shown, comments, { host, from, more });
  return {
    id,
    repository,
    name: repositoryName(repository),
    requestedAt,
    issue: await issueFrom("maintainers"),
    issueFrom: (from) => issueFrom(from, { uploads, signal }),
    source: { url: host.cloneUrl, commit, token: () => host.cloneToken() },
    ownerReads: host,
  };
}

/** Reads an issue. Throws HOST_NOT_FOUND for a pull request. */
export async function readIssueOnly(number: number, host: CodeHost): ReturnType<CodeHost["readIssue"]> {
  const shown = await host.readIssue(number);
  if (shown.isPullRequest) throw new MagisError("HOST_NOT_FOUND", `#${number} is a pull request, no issue.`);
  return shown;
}
