import { createHash } from "node:crypto";
import { treeOf } from "../change/working-copy.ts";
import { isMagisError, MagisError } from "../data/error.ts";
import type { Log } from "../data/log.ts";
import { branchNames, isChange, MAX_BRANCHES, runOfPull } from "../data/marks.ts";
import type { Base } from "../data/run-record.ts";
import type { CodeHost, HostCommit } from "../github/code-host.ts";
import type { CommitWay } from "../report/pull-request-body.ts";
import { makeCommit, type NewCommit } from "./make-commit.ts";

export interface PublishedCommit {
  id: string;
  branch: string;
  way: CommitWay;
  /** why it is not on the branch that was wanted, in words */
  taken?: string | undefined;
}

/**
 * Makes the run's commit on a branch of its own, in the best way that the host takes: pushed objects with a commit that
 * the host makes and signs, everything through its API, a plain push. Never forced. A branch that already holds this
 * very change on this base was made by an earlier try and is kept.
 */
export async function publishCommit(
  deps: NewCommit & {
    runId: string;
    /** the branch that is wanted; another one when it is taken */
    name: string;
    base: Base;
    log: Log;
  },
): Promise<PublishedCommit> {
  const { runId, name, base, files, repository, host, log } = deps;
  const tree = await treeOf(files, repository);
  const { branch, holds, leftOver, taken } = await findBranch({ host, name, tree, base: base.commit });
  if (holds) return { ...(await keep(holds, branch, { host, runId })), taken };
  if (leftOver) await host.deleteRef(`heads/${branch}`);
  const land = (commit: string) => host.createBranch(branch, commit);
  const parent = base.commit;
  const input = { ...deps, stagingRef: stagingRef(runId), branch, parent, tree, land };
  return { ...(await makeCommit(input, log)), branch, taken };
}

/** A branch for a change; `taken`: in words, why it is not the wanted one. */
interface FoundBranch {
  branch: string;
  /** its tip, when an earlier try made this very change on this base */
  holds?: HostCommit;
  /** it was left by a run that ended without a pull request */
  leftOver?: true;
  taken?: string | undefined;
}

/**
 * The branch for a change: `name`, or `name-2`, `name-3`, … where people have committed to it or a pull request was
 * opened from it. What an ended run left on it is deleted.
 */
async function findBranch(deps: { host: CodeHost; name: string; tree: string; base: string }): Promise<FoundBranch> {
  const { host, name, tree, base } = deps;
  let taken: string | undefined;
  for (const branch of branchNames(name)) {
    const tip = await host.branchTip(branch);
    if (tip === undefined) return { branch, taken };
    const commit = await host.readCommit(tip);
    if (isChange(commit, base, tree)) return { branch, holds: commit, taken };
    const why = await whyTaken(host, branch, tip, base);
    if (why === undefined) return { branch, leftOver: true, taken };
    taken ??= why;
  }
  throw new MagisError(
    "HOST_REFUSED",
    `There are already ${MAX_BRANCHES} branches named ${name}. Delete those that are no longer needed.`,
  );
}

/**
 * Why a branch must not be touched; undefined for leftovers of an ended run. A pull request that the bot took back has
 * lost its mark.
 */
async function whyTaken(host: CodeHost, branch: string, tip: string, base: string): Promise<string | undefined> {
  const pulls = await host.findOwnPullRequests(branch, "all");
  const pull = pulls.find((one) => one.branch === branch && (one.open || runOfPull(one) !== undefined));
  if (pull) return `pull request #${pull.number} was opened from \`${branch}\``;
  return (await isOwnBranch(host, tip, base)) ? undefined : `\`${branch}\` has commits that are not mine`;
}

interface Advance extends NewCommit {
  runId: string;
  /** as it was read */
  pull: { number: number; branch: string; head: string };
  log: Log;
}

/**
 * Puts one commit on the branch of the app's pull request, never forced. A commit of this very change on the head that
 * was read is that of an earlier try of the same run and is kept, also below what others have pushed since. Undefined:
 * the branch has moved without it.
 */
export async function advancePull(deps: Advance): Promise<PublishedCommit | undefined> {
  const { runId, pull, files, merges, repository, host } = deps;
  try {
    return await advanceCommit(deps);
  } catch (error) {
    if (!isMagisError(error, "GIT_BRANCH_MOVED")) throw error;
    const own = await findOwnCommit(host, pull, await treeOf(files, repository), merges);
    return own && keep(own, pull.branch, { host, runId });
  }
}

/** Throws GIT_BRANCH_MOVED when the tip has changed, unless it is this very change. */
async function advanceCommit(deps: Advance): Promise<PublishedCommit> {
  const { runId, pull, files, merges, repository, host, log } = deps;
  const { branch, head } = pull;
  const tree = await treeOf(files, repository);
  const tip = await host.branchTip(branch);
  if (tip !== head) {
    const commit = tip === undefined ? undefined : await host.readCommit(tip);
    if (!commit || !isChange(commit, head, tree, merges)) throw moved(branch);
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

/** Keeps the commit of an earlier try. */
async function keep(
  { id, verified }: HostCommit,
  branch: string,
  { host, runId }: { host: CodeHost; runId: string },
): Promise<PublishedCommit> {
  await host.deleteRef(stagingRef(runId).replace(/^refs\//, ""));
  return { id, branch, way: verified ? "signed by GitHub" : "pushed, unsigned" };
}

/** The ref outside refs/heads that holds a run's staged objects; the same at every try. */
export function stagingRef(runId: string): string {
  return `refs/magis/staging/${createHash("sha256").update(runId).digest("hex").slice(0, 20)}`;
}

/**
 * The app's commit of this very tree on the head that was read, when it is on the branch already: an earlier try of the
 * same run was stopped right after it, and somebody has pushed on top of it since.
 */
async function findOwnCommit(
  host: CodeHost,
  { number, head }: Advance["pull"],
  tree: string,
  merges: string | undefined,
): Promise<HostCommit | undefined> {
  const commits = await host.listCommits(number);
  for (const { id } of commits.filter(({ byApp }) => byApp).reverse()) {
    if (id === head) return undefined;
    const commit = await host.readCommit(id);
    if (isChange(commit, head, tree, merges)) return commit;
  }
  return undefined;
}

/** Commits of a run on its branch: two pushes of its test, and the fix, with room for more. */
const MAX_COMMITS = 10;

/** Whether a branch with this tip holds only the app's commits, on `base` or an ancestor of it. */
export async function isOwnBranch(host: CodeHost, tip: string, base: string): Promise<boolean> {
  let id = tip;
  for (let commits = 0; commits <= MAX_COMMITS; commits++) {
    if (id === base) return commits > 0;
    const { author, parents } = await host.readCommit(id);
    if (author !== host.login)
      return commits > 0 && (await host.isAncestor(id, base)) && !(await host.isAncestor(tip, base));
    const [parent] = parents;
    if (parent === undefined || parents.length > 1) return false;
    id = parent;
  }
  return false;
}
