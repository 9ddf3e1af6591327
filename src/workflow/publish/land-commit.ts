import { createHash } from "node:crypto";
import { isMagisError, MagisError } from "../../model/error.ts";
import { branchNames, isChange, MAX_BRANCHES } from "../../model/marks.ts";
import type { Base } from "../../model/run-record.ts";
import type { CodeHost, CommitApi, HostCommit } from "../../ports/code-host.ts";
import type { Log } from "../../ports/log.ts";
import type { HostPullRequest } from "../../ports/pull-requests.ts";
import type { Repository } from "../../ports/repository.ts";
import type { CommitWay } from "../../report/pull-request-body.ts";
import type { ChangedFile } from "../change/working-copy.ts";
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
  readonly repository: Repository;
  readonly host: CodeHost;
  readonly log: Log;
}): Promise<PublishedCommit> {
  const { runId, date, name, base, files, message, repository, host, log } = deps;
  const tree = await repository.writeTree(files.map(({ path, after }) => ({ path, content: after ?? null })));
  const { branch, holds } = await findBranch({ host, name, tree, base: base.commit });
  const ref = stagingRef(runId);
  if (holds) {
    await host.deleteRef(ref.replace(/^refs\//, ""));
    return { id: holds.id, branch, way: holds.verified ? "signed by GitHub" : "pushed, unsigned" };
  }
  const land = (commit: string) => host.createBranch(branch, commit);
  const parent = base.commit;
  const input = { stagingRef: ref, branch, parent, files, tree, message, date, repository, host, land };
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

/**
 * Puts one commit on a branch that exists, whose tip was `head` when it was read and is `repository`'s commit. Never
 * forced: throws GIT_BRANCH_MOVED when the tip is another one by now. A tip that holds this very change on `head` is
 * that of an earlier try of the same run and is kept.
 */
export async function advanceCommit(deps: {
  readonly runId: string;
  readonly date: Date;
  readonly branch: string;
  readonly head: string;
  readonly files: readonly ChangedFile[];
  readonly message: string;
  readonly repository: Repository;
  readonly host: CodeHost;
  readonly log: Log;
}): Promise<PublishedCommit> {
  const { runId, branch, head, files, repository, host, log } = deps;
  const tree = await repository.writeTree(files.map(({ path, after }) => ({ path, content: after ?? null })));
  const ref = stagingRef(runId);
  const tip = await host.branchTip(branch);
  if (tip !== head) {
    const commit = tip === undefined ? undefined : await host.readCommit(tip);
    if (!commit || !isChange(commit, head, tree)) throw moved(branch);
    await host.deleteRef(ref.replace(/^refs\//, ""));
    return { id: commit.id, branch, way: commit.verified ? "signed by GitHub" : "pushed, unsigned" };
  }
  const land = async (commit: string) => {
    try {
      await host.advanceBranch(branch, commit);
    } catch (error) {
      if (isMagisError(error, "HOST_REFUSED") && (await host.branchTip(branch)) !== head) throw moved(branch);
      throw error;
    }
  };
  const made = await makeCommit({ ...deps, stagingRef: ref, parent: head, tree, land }, log);
  return { ...made, branch };
}

const moved = (branch: string) =>
  new MagisError("GIT_BRANCH_MOVED", `The branch ${branch} has moved while the work went on.`, { branch });

/** The ref outside refs/heads where a run's objects wait for their commit; the same at every try. */
export function stagingRef(runId: string): string {
  return `refs/magis/staging/${createHash("sha256").update(runId).digest("hex").slice(0, 20)}`;
}

/**
 * The app's commit of this very tree on the head that was read, when it is on the branch already: an earlier try of the
 * same run was stopped right after it, and somebody has pushed on top of it since.
 */
export async function findOwnCommit(
  host: Pick<CodeHost, "listCommits" | "readCommit">,
  { number, head }: Pick<HostPullRequest, "number" | "head">,
  tree: string,
): Promise<string | undefined> {
  const commits = await host.listCommits(number);
  for (const { id } of commits.filter(({ byApp }) => byApp).reverse()) {
    if (id === head) return undefined;
    if (isChange(await host.readCommit(id), head, tree)) return id;
  }
  return undefined;
}
