import { MagisError } from "../../model/magis-error.ts";
import type { CommitApi } from "../../ports/commit-api.ts";

/** Has the host make a commit of `tree` on `parent`, and makes sure that it is of that very tree. Gives its id. */
export async function checkedCommit(
  host: Pick<CommitApi, "createCommit">,
  message: string,
  tree: string,
  parent: string,
): Promise<string> {
  const commit = await host.createCommit(message, tree, [parent]);
  if (commit.tree === tree && commit.parents.length === 1 && commit.parents[0] === parent) return commit.id;
  throw new MagisError("HOST_REFUSED", "The host made a commit that is not the one it was asked for.", { commit });
}
