import { MagisError } from "../../model/magis-error.ts";
import type { CommitApi, HostCommit } from "../../ports/commit-api.ts";

/** How many branches of one issue are looked at: one is left by each earlier run. */
const MAX_BRANCHES = 50;

/**
 * The branch for a change: `name`, or `name-2`, `name-3`, … when earlier runs or people have taken it. A branch whose
 * tip is exactly this tree on this base belongs to an earlier try of the same change: `holds` is its commit.
 */
export async function findBranch(deps: {
  readonly host: Pick<CommitApi, "branchTip" | "readCommit">;
  readonly name: string;
  readonly tree: string;
  readonly base: string;
}): Promise<{ readonly branch: string; readonly holds?: HostCommit }> {
  const { host, name, tree, base } = deps;
  for (let number = 1; number <= MAX_BRANCHES; number++) {
    const branch = number === 1 ? name : `${name}-${number}`;
    const tip = await host.branchTip(branch);
    if (tip === undefined) return { branch };
    const commit = await host.readCommit(tip);
    if (commit.tree === tree && commit.parents.length === 1 && commit.parents[0] === base)
      return { branch, holds: commit };
  }
  throw new MagisError(
    "HOST_REFUSED",
    `There are already ${MAX_BRANCHES} branches named ${name}. Delete those that are no longer needed.`,
  );
}
