import type { RestEndpointMethodTypes } from "@octokit/rest";
import { isHostRefusal, MagisError } from "../data/error.ts";
import { abandonable } from "./abortable.ts";
import type { Artifact, Check, Job, JobStep } from "./code-host.ts";
import { attempt } from "./errors.ts";
import type { GithubRepository } from "./repository.ts";

const PER_PAGE = 100;

/** The answer of a repository or organisation when whoever pushed may not start workflows. */
const NOT_ALLOWED = /not allowed to (?:trigger|run|start)\b.{0,40}\bworkflows?\b/i;

/** A run of an Actions workflow. */
export interface WorkflowRun {
  id: number;
  /** its file */
  path: string;
  name: string;
  url: string;
  /** why it does not proceed: it waits for a person, or whoever pushed may not start workflows */
  because?: "waiting" | "not-allowed" | undefined;
  hasEnded: boolean;
}

/** The latest run of each workflow on a commit; none without the right to read them. */
export async function listWorkflowRuns(
  { client, owner, repo }: GithubRepository,
  commit: string,
): Promise<readonly WorkflowRun[]> {
  const rows = await orNone<readonly Row[]>([], () =>
    attempt(`read the workflow runs of ${commit}`, () =>
      client.paginate(client.rest.actions.listWorkflowRunsForRepo, {
        owner,
        repo,
        head_sha: commit,
        per_page: PER_PAGE,
      }),
    ),
  );
  return rows.map(toWorkflowRun);
}

/** Whether any app's check suite on a commit has not ended. */
export async function hasBusySuite(repository: GithubRepository, commit: string): Promise<boolean> {
  const { client, owner, repo } = repository;
  const suites = await attempt(`read the check suites of ${commit}`, () =>
    client.paginate(client.rest.checks.listSuitesForRef, { owner, repo, ref: commit, per_page: PER_PAGE }),
  );
  // Every app that may make checks gets a suite for each push, even if it never uses it.
  return suites.some(
    ({ status, latest_check_runs_count: runs, app }) =>
      status !== "completed" && status !== "waiting" && runs > 0 && app?.id !== repository.appId,
  );
}

type Row = RestEndpointMethodTypes["actions"]["getWorkflowRun"]["response"]["data"];

function toWorkflowRun({ id, path, name, html_url, status, conclusion, display_title }: Row): WorkflowRun {
  const hasEnded = status === "completed";
  const isRefused = hasEnded && conclusion !== "success" && NOT_ALLOWED.test(display_title ?? "");
  return {
    id,
    // A reusable workflow's path ends with its branch.
    path: path.replace(/@.*/s, ""),
    name: name ?? path,
    url: html_url,
    because: isRefused ? "not-allowed" : whyIdle(status, conclusion),
    hasEnded,
  };
}

const whyIdle = (status: string | null, conclusion: string | null): "waiting" | undefined =>
  conclusion === "action_required" || status === "action_required" || status === "waiting" ? "waiting" : undefined;

/** An Actions job with its steps; undefined when it is gone or not readable. */
export function jobOf({ client, owner, repo }: GithubRepository, jobId: number): Promise<Job | undefined> {
  return orNone(undefined, () =>
    attempt(`read the job ${jobId}`, async () => {
      const { data } = await client.rest.actions.getJobForWorkflowRun({ owner, repo, job_id: jobId });
      const checkRunId = Number(/\/check-runs\/(\d+)$/.exec(data.check_run_url)?.[1]);
      return { commit: data.head_sha, checkRunId, steps: (data.steps ?? []).map(toStep) };
    }),
  );
}

type Step = NonNullable<
  RestEndpointMethodTypes["actions"]["getJobForWorkflowRun"]["response"]["data"]["steps"]
>[number];

const STATES: Readonly<Record<string, JobStep["state"]>> = { success: "passed", failure: "failed" };

function toStep({ name, conclusion, started_at, completed_at }: Step): JobStep {
  const [from, to] = [Date.parse(started_at ?? ""), Date.parse(completed_at ?? "")];
  const ran = conclusion !== "skipped" && !Number.isNaN(from) && !Number.isNaN(to);
  const state = STATES[conclusion ?? ""] ?? "neutral";
  if (!ran) return { name, state };
  return { name, state, from: Math.floor(from / 1000) * 1000, to: Math.floor(to / 1000) * 1000 };
}

/** The artifacts of a workflow run that GitHub still has. */
export function artifactsOf({ client, owner, repo }: GithubRepository, runId: number): Promise<readonly Artifact[]> {
  return orNone([], () =>
    attempt(`read the artifacts of run ${runId}`, async () => {
      const query = { owner, repo, run_id: runId, per_page: PER_PAGE };
      const { data } = await client.rest.actions.listWorkflowRunArtifacts(query);
      return data.artifacts
        .filter(({ expired }) => !expired)
        .map(({ id, name, size_in_bytes: bytes }) => ({ id, name, bytes }));
    }),
  );
}

/** An artifact as a zip; undefined when it is gone, not readable, or too long. */
export function artifact(repository: GithubRepository, id: number, mostBytes: number): Promise<Uint8Array | undefined> {
  const { client, owner, repo } = repository;
  const place = { owner, repo, artifact_id: id, archive_format: "zip", request: { redirect: "manual" } } as const;
  return download(repository, `the artifact ${id}`, {
    ask: () => client.rest.actions.downloadArtifact(place),
    read: (body) => readAtMost(body, mostBytes),
  });
}

/** The end of an Actions job's log, at most `mostBytes` of UTF-8; undefined when it is gone or not readable. */
export function jobLog(repository: GithubRepository, jobId: number, mostBytes: number): Promise<string | undefined> {
  const { client, owner, repo } = repository;
  const place = { owner, repo, job_id: jobId, request: { redirect: "manual" } } as const;
  return download(repository, `the log of job ${jobId}`, {
    ask: () => client.rest.actions.downloadJobLogsForWorkflowRun(place),
    read: (body) => readTail(body, mostBytes),
  });
}

const TIMEOUT_MS = 60_000;

type Body = ReadableStream<Uint8Array> | null;

/**
 * Reads what GitHub keeps on another host, whose address it gives for a minute. The address itself is a secret, so the
 * file is requested without the app's token, which that host must not see.
 */
function download<T>(
  repository: GithubRepository,
  what: string,
  how: {
    ask: () => Promise<{ headers: { location?: string | undefined } }>;
    read: (body: Body) => Promise<T>;
  },
): Promise<T | undefined> {
  const reading = orNone(undefined, () =>
    attempt(`read ${what}`, async () => {
      const { location } = (await how.ask()).headers;
      if (location === undefined) throw new MagisError("HOST_UNREACHABLE", `GitHub does not say where ${what} is.`);
      const response = await repository.fetch(location, {
        headers: { "user-agent": "magis" },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (response.ok) return how.read(response.body);
      await response.body?.cancel();
      const { status } = response;
      if (status === 404 || status === 410) return undefined;
      throw new MagisError("HOST_UNREACHABLE", `Reading ${what} was answered with status ${status}.`, { status });
    }),
  );
  return abandonable(reading);
}

async function readAtMost(body: Body, mostBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * The end of a streamed text of any length, holding no more than about `mostBytes` at a time. Cuts at the end of a
 * line, with a note that counts towards `mostBytes`.
 */
export async function readTail(body: Body, mostBytes: number): Promise<string> {
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

/** Gives `none` to an app without `actions: read`, which sees only the checks. */
async function orNone<T>(none: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isHostRefusal(error) && [403, 404, 410].includes(Number(error.data.status))) return none;
    throw error;
  }
}

/** A longer summary is a report, which may quote anything. */
const MAX_REFUSAL = 500;

/** Why a check of Actions gives no verdict, if its summary says so. */
export const whyNotAllowed = (summary: string): Check["because"] | undefined =>
  summary.length <= MAX_REFUSAL && NOT_ALLOWED.test(summary) ? "not-allowed" : undefined;
