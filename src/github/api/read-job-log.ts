import { MagisError } from "../../model/magis-error.ts";
import { attempt } from "./attempt.ts";
import type { GithubRepository } from "./github-repository.ts";
import { isHttpFailure } from "./is-http-failure.ts";
import { readTail } from "./read-tail.ts";

const GONE = [404, 410];
const TIMEOUT_MS = 60_000;

/**
 * The end of the log of an Actions job, at most `mostBytes` of UTF-8; undefined when it is gone.
 * GitHub answers with the address of a file on another host, valid for a minute. The address is a secret by itself,
 * and the app's token is none of that host's business: the file is asked for without it.
 */
export function readJobLog(
  repository: GithubRepository,
  jobId: number,
  mostBytes: number,
): Promise<string | undefined> {
  return attempt(`read the log of job ${jobId}`, async () => {
    const address = await addressOf(repository, jobId);
    if (address === undefined) return undefined;
    const response = await repository.fetch(address, {
      headers: { "user-agent": "magis" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return readTail(response.body, mostBytes);
    await response.body?.cancel();
    if (GONE.includes(response.status)) return undefined;
    const { status } = response;
    throw new MagisError("HOST_UNREACHABLE", `The log of job ${jobId} was answered with status ${status}.`, { status });
  });
}

async function addressOf({ client, owner, repo }: GithubRepository, jobId: number): Promise<string | undefined> {
  try {
    const { headers } = await client.rest.actions.downloadJobLogsForWorkflowRun({
      ...{ owner, repo, job_id: jobId },
      request: { redirect: "manual" },
    });
    if (headers.location !== undefined) return headers.location;
    throw new MagisError("HOST_UNREACHABLE", `GitHub does not say where the log of job ${jobId} is.`);
  } catch (error) {
    if (isHttpFailure(error) && GONE.includes(error.status)) return undefined;
    throw error;
  }
}
