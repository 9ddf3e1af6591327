import { branchNames, branchOf, isChange, markers } from "../../model/marks.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { HostPullRequest } from "../../ports/pull-requests.ts";
import type { RunTools } from "../run/run-tools.ts";
import { stagingRef } from "./land-commit.ts";

/**
 * Takes back what a run that was ended in the middle of publishing has left on the host: objects that wait for their
 * commit, its branch, unless a person has committed to it, and its pull request, which is closed and loses the run's
 * mark, so that a run that goes on opens one of its own. Gives what was taken back, in words. Done again, it finds
 * nothing. `untouched`: a pull request that a person has committed to is left alone as well.
 */
export async function rollback(
  request: RunRequest,
  { host, kept, settings }: Pick<RunTools, "host" | "kept" | "settings">,
  { untouched = false }: { readonly untouched?: boolean } = {},
): Promise<readonly string[]> {
  const { start } = await kept();
  if (request.work.kind !== "resolve" || !start) return [];
  const { base } = start;
  await host.deleteRef(stagingRef(request.root).replace(/^refs\//, ""));
  const name = branchOf(settings.branch, request.issue, start.issue.title);
  const marker = markers.run(request.root);
  const pulls = await host.findOwnPullRequests(name, "all");
  const own = pulls.find(({ body, merged }) => !merged && body.includes(marker));
  if (untouched && own && !(await isUntouched(own.branch))) return [];
  const branches = own ? [own.branch] : await branchesWithout(pulls);
  const deleted: string[] = [];
  for (const branch of branches) if (await deleteUntouched(branch)) deleted.push(`the branch \`${branch}\``);
  if (!own) return deleted;
  await host.updatePullRequest(own.number, { state: "closed", body: own.body.replace(marker, "").trimStart() });
  return [`pull request #${own.number} (closed)`, ...deleted];

  /** The issue's branches that no pull request was opened from. */
  async function branchesWithout(others: readonly HostPullRequest[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (const branch of branchNames(name)) {
      if ((await host.branchTip(branch)) === undefined) break;
      if (!others.some((pull) => pull.branch === branch)) found.push(branch);
    }
    return found;
  }

  /** Whether a branch holds one commit, of the app, on the run's base. */
  async function isUntouched(branch: string): Promise<boolean> {
    const tip = await host.branchTip(branch);
    const commit = tip === undefined ? undefined : await host.readCommit(tip);
    return commit !== undefined && commit.author === host.login && isChange(commit, base.commit);
  }

  async function deleteUntouched(branch: string): Promise<boolean> {
    if (!(await isUntouched(branch))) return false;
    await host.deleteRef(`heads/${branch}`);
    return true;
  }
}
