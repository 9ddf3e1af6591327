import type { CodeHost } from "../../ports/code-host.ts";

/** Commits of a run on its branch: two pushes of its test, and the fix, with room for more. */
const MAX_COMMITS = 10;

/** Whether a branch with this tip holds commits of the app on `base`, and nobody else's. */
export async function isOwnBranch(
  host: Pick<CodeHost, "login" | "readCommit">,
  tip: string,
  base: string,
): Promise<boolean> {
  let id = tip;
  for (let commits = 0; commits < MAX_COMMITS; commits++) {
    const { author, parents } = await host.readCommit(id);
    const [parent] = parents;
    if (author !== host.login || parent === undefined || parents.length > 1) return false;
    if (parent === base) return true;
    id = parent;
  }
  return false;
}
