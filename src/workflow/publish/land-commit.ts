import { createHash } from "node:crypto";
import { isMagisError, MagisError } from "../../model/error.ts";
import { branchNames, isChange, MAX_BRANCHES } from "../../model/marks.ts";
import type { Base } from "../../model/run-record.ts";
import type { CodeHost, CommitApi, HostCommit } from "../../ports/code-host.ts";
import type { Log } from "../../ports/log.ts";
import type { HostPullRequest } from "../../ports/pull-requests.ts";
import type { Repository } from "../../ports/repository.ts";
import type { CommitWay } from "../../report/pull-request-body.ts";
import { type ChangedFile, treeOf } from "../change/working-copy.ts";
import { makeCommit } from "./make-commit.ts";

export interface PublishedCommit {
  readonly id: string;
  readonly branch: string;
  readonly way: CommitWay;
}

/**
 * Makes the run's commit on a branch of its own, in the best way that the host takes: pushed objects with a commit that
 * the host makes and signs, everything through its API, a plain push. Never forced. A branch that already holds this
 * very change on this base is that of an earlier try and is kept.
 */
export async function publishCommit(deps: {
  readonly runId: string;
  readonly date: Date;
  /** the branch that is wanted; another one when it is taken */
  readonly name: string;
  readonly base: Base;
  readonly files: readonly ChangedFile[];
  readonly message: string;
  /** the one issue that the message may close */
  readonly closes?: number;
  readonly repository: Repository;
  readonly host: CodeHost;
  readonly log: Log;
}): Promise<PublishedCommit> {
  const { runId, name, base, files, repository, host, log } = deps;
  const tree = await treeOf(files, repository);
  const { branch, holds } = await findBranch({ host, name, tree, base: base.commit });
  if (holds) return keep(holds, branch, { host, runId });
  const land = (commit: string) => host.createBranch(branch, commit);
  const parent = base.commit;
  const input = { ...deps, stagingRef: stagingRef(runId), branch, parent, tree, land };
  return { ...(await makeCommit(input, log)), branch };
}

/**
 * The branch for a change: `name`, or `name-2`, `name-3`, … when earlier runs or people have taken it. A branch whose
 * tip is exactly this tree on this base belongs to an earlier try of the same change: `holds` is its commit.
 */
async function findBranch(deps: {
  readonly host: Pick<CommitApi, "branchTip" | "readCommit">;
  readonly name: string;
  readonly tree: string;
  readonly base: string;
}): Promise<{ readonly branch: string; readonly holds?: HostCommit }> {
  const { host, name, tree, base } = deps;
  for (const branch of branchNames(name)) {
    const tip = await host.branchTip(branch);
    if (tip === undefined) return { branch };
    const commit = await host.readCommit(tip);
    if (isChange(commit, base, tree)) return { branch, holds: commit };
  }
  throw new MagisError(
    "HOST_REFUSED",
    `There are already ${MAX_BRANCHES} branches named ${name}. Delete those that are no longer needed.`,
  );
}

interface Advance {
  readonly runId: string;
  readonly date: Date;
  /** as it was when it was read; `repository` is its head */
  readonly pull: Pick<HostPullRequest, "number" | "branch" | "head">;
  readonly files: readonly ChangedFile[];
  readonly message: string;
  /** the one issue that the message may close */
  readonly closes?: number;
  readonly repository: Repository;
  readonly host: CodeHost;
  readonly log: Log;
}

/**
 * Puts one commit on the branch of the app's pull request, never forced. A commit of this very change on the head that
 * was read is that of an earlier try of the same run and is kept, also below what others have pushed since. Undefined:
 * the branch has moved without it.
 */
export async function advancePull(deps: Advance): Promise<PublishedCommit | undefined> {
  const { runId, pull, files, repository, host } = deps;
  try {
    return await advanceCommit(deps);
  } catch (error) {
    if (!isMagisError(error, "GIT_BRANCH_MOVED")) throw error;
    const own = await findOwnCommit(host, pull, await treeOf(files, repository));
    return own && keep(own, pull.branch, { host, runId });
  }
}

/** Throws GIT_BRANCH_MOVED when the tip is another one by now, unless it is this very change. */
async function advanceCommit(deps: Advance): Promise<PublishedCommit> {
  const { runId, pull, files, repository, host, log } = deps;
  const { branch, head } = pull;
  const tree = await treeOf(files, repository);
  const tip = await host.branchTip(branch);
  if (tip !== head) {
    const commit = tip === undefined ? undefined : await host.readCommit(tip);
    if (!commit || !isChange(commit, head, tree)) throw moved(branch);
    return keep(commit, branch, { host, runId });
  }
  const land = async (commit: string) => {
    try {
      await host.advanceBranch(branch, commit);
    } catch (error) {
      if (isMagisError(error, "HOST_REFUSED") && (await host.branchTip(branch)) !== head) throw moved(branch);
      throw error;
    }
  };
  const made = await makeCommit({ ...deps, stagingRef: stagingRef(runId), branch, parent: head, tree, land }, log);
  return { ...made, branch };
}

const moved = (branch: string) =>
  new MagisError("GIT_BRANCH_MOVED", `The branch ${branch} has moved while the work went on.`, { branch });

/** Takes a commit of an earlier try for that of this one. */
async function keep(
  { id, verified }: HostCommit,
  branch: string,
  { host, runId }: { readonly host: Pick<CommitApi, "deleteRef">; readonly runId: string },
): Promise<PublishedCommit> {
  await host.deleteRef(stagingRef(runId).replace(/^refs\//, ""));
  return { id, branch, way: verified ? "signed by GitHub" : "pushed, unsigned" };
}

/** The ref outside refs/heads where a run's objects wait for their commit; the same at every try. */
export function stagingRef(runId: string): string {
  return `refs/magis/staging/${createHash("sha256").update(runId).digest("hex").slice(0, 20)}`;
}

/**
 * The app's commit of this very tree on the head that was read, when it is on the branch already: an earlier try of the
 * same run was stopped right after it, and somebody has pushed on top of it since.
 */
async function findOwnCommit(
  host: Pick<CodeHost, "listCommits" | "readCommit">,
  { number, head }: Pick<HostPullRequest, "number" | "head">,
  tree: string,
): Promise<HostCommit | undefined> {
  const commits = await host.listCommits(number);
  for (const { id } of commits.filter(({ byApp }) => byApp).reverse()) {
    if (id === head) return undefined;
    const commit = await host.readCommit(id);
    if (isChange(commit, head, tree)) return commit;
  }
  return undefined;
}
