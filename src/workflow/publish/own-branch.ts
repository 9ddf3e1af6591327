import type { CodeHost } from "../../ports/code-host.ts";

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
