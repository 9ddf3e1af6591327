import { MagisError } from "../data/error.ts";
import { attempt, isHttpFailure } from "./errors.ts";
import type { GithubRepository } from "./repository.ts";

const GONE = [404, 410];

const TIMEOUT_MS = 60_000;

/**
 * The end of an Actions job's log, at most `mostBytes` of UTF-8; undefined when it is gone. GitHub answers with the
 * address of a file on another host, valid for a minute. The address itself is a secret, so the file is requested
 * without the app's token, which that host must not see.
 */
export function jobLog(repository: GithubRepository, jobId: number, mostBytes: number): Promise<string | undefined> {
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
      owner,
      repo,
      job_id: jobId,
      request: { redirect: "manual" },
    });
    if (headers.location !== undefined) return headers.location;
    throw new MagisError("HOST_UNREACHABLE", `GitHub does not say where the log of job ${jobId} is.`);
  } catch (error) {
    if (isHttpFailure(error) && GONE.includes(error.status)) return undefined;
    throw error;
  }
}

/**
 * The end of a streamed text of any length, holding no more than about `mostBytes` at a time. Cuts at the end of a
 * line, with a note that counts towards `mostBytes`.
 */
export async function readTail(body: ReadableStream<Uint8Array> | null, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  let held = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    total += chunk.length;
    held += chunk.length;
    for (let first = chunks[0]; first && held - first.length >= mostBytes; first = chunks[0]) {
      chunks.shift();
      held -= first.length;
    }
  }
  const end = Buffer.concat(chunks);
  if (total <= mostBytes) return new TextDecoder().decode(end);
  const note = `[The first part of ${total} bytes was cut here.]\n`;
  const kept = end.subarray(Math.max(0, end.length - Math.max(0, mostBytes - note.length)));
  return note + new TextDecoder().decode(kept.subarray(lineStart(kept)));
}

/** Where the first whole line begins, or the first whole character if there is no line break. */
function lineStart(bytes: Uint8Array): number {
  const line = bytes.indexOf(0x0a) + 1;
  if (line > 0 && line < bytes.length) return line;
  const character = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return Math.max(0, character);
}
