import { mayWrite } from "../data/discussion.ts";
import { isMagisError, MagisError } from "../data/error.ts";
import { branchPrefix } from "../data/marks.ts";
import { type RunRequest, repositoryName } from "../data/run-request.ts";
import type { RunResult } from "../data/run-state.ts";
import type { Chosen } from "../data/settings.ts";
import type { CodeHost } from "../github/code-host.ts";
import { cleanUp } from "../publish/clean-up.ts";
import { rollback } from "../publish/rollback.ts";
import { openRun } from "../run/open-run.ts";
import { passingSteps, type RunKind, runPhases } from "../run/phase-runner.ts";
import { limitsUnder, readSettings, withChosen } from "../settings/repository/read-settings.ts";
import type { LocalCheck } from "./dry-run/check-work.ts";
import type { LocalDependencies } from "./dry-run/job.ts";
import { resolveIssue } from "./resolve-issue.ts";

/** What a person on the command line asks for. */
export interface PublishJob {
  request: RunRequest;
  /** settings in place of the repository's */
  chosen: Chosen;
  /** the branch to work on; absent: the default branch */
  base?: string | undefined;
  /** what checks the change, given the command that the repository's file names; undefined: nothing is run */
  check: (own: string | undefined) => LocalCheck | undefined;
}

/**
 * Resolves an issue on the host for a person at the terminal, without the engine and without a tracking comment. Takes
 * back what an interrupted run has published. Throws what the host throws before the run begins.
 */
export async function publishHere(
  { request: asked, chosen, base: baseBranch, check }: PublishJob,
  { host, signal, progress, ...deps }: PublishDependencies,
): Promise<RunResult> {
  const { owner, name } = asked.repository;
  const read = await readSettings({
    owner,
    limits: limitsUnder(deps.limits, chosen),
    readRepositoryFile: (path) => host.readFile(name, path),
    listRepositoryFolder: (path) => host.listFolder(name, path),
    readOwnerFile: (repository, path) => host.readFile(repository, path),
  });
  if ("faults" in read) {
    const reason = read.faults.map(({ file, line, message }) => `${file}:${line}: ${message}`).join("\n");
    return { kind: "refused", reason };
  }
  const settings = withChosen(read.settings, chosen);
  const request = { ...asked, settings: baseBranch === undefined ? settings : { ...settings, baseBranch } };
  const rival = await findRival(request.issue, settings.branch, host);
  if (rival !== undefined) return { kind: "refused", reason: rival };
  const resolving = resolveIssue(request, check(read.settings.check));
  const run = await openRun(request, { ...deps, openCodeHost: async () => host }, "silent");
  try {
    const kind: RunKind = { ...resolving, cleanUp };
    const place = { open: async () => run, step: passingSteps(signal), log: deps.log, signal };
    const result = await runPhases(kind, place);
    if (!signal.aborted || result.kind === "published") return result;
    progress("Cancelled: looking for what was published already, to take it back.");
    return { kind: "cancelled", by: "you", undone: await rollback(run) };
  } finally {
    run.close();
  }
}

interface PublishDependencies extends LocalDependencies {
  host: CodeHost;
  signal: AbortSignal;
  progress(line: string): void;
}

/** Says which pull request of ours is open for the issue, if any. */
async function findRival(issue: number, branch: string, host: CodeHost): Promise<string | undefined> {
  const [rival] = await host.findOwnPullRequests(branchPrefix(branch, issue), "open");
  return rival && `Pull request #${rival.number} is open for this issue: ${rival.url} Merge or close it first.`;
}

/** Throws CONFIGURATION_INVALID before anything is paid for if the host's login may not publish. */
export async function checkRights({ repository }: RunRequest, host: CodeHost): Promise<void> {
  const { login } = host;
  // An app is not a collaborator: its token alone has its rights.
  if (login.endsWith("[bot]")) return;
  const permission = await host.permissionOf(login).catch((error: unknown) => {
    // GitHub reveals permissions only to those who may push.
    if (isMagisError(error, "HOST_REFUSED")) return "none" as const;
    throw error;
  });
  if (mayWrite(permission)) return;
  const message = `${login}, whose token this is, may not push to ${repositoryName(repository)}: without --open-pr the patch is printed.`;
  throw new MagisError("CONFIGURATION_INVALID", message);
}
