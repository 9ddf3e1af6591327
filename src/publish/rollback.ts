import { branchNames, branchOf, markers } from "../data/marks.ts";
import type { RunRequest } from "../data/run-request.ts";
import type { HostPullRequest } from "../github/code-host.ts";
import type { RunContext } from "../run/run-context.ts";
import { isOwnBranch, stagingRef } from "./land-commit.ts";

/**
 * Takes back what a run has published: its branch, unless a person has committed to it, and its pull request, which is
 * closed and loses the run's mark, so that a continuing run opens its own. Gives in words what this run has taken back,
 * including what an earlier try did.
 */
export const rollback = (run: RunContext): Promise<readonly string[]> => takeBack(run, "all");

/** The same, but leaves a pull request alone that a person has committed to. */
export const rollbackUntouched = (run: RunContext): Promise<readonly string[]> => takeBack(run, "untouched");

async function takeBack(run: RunContext, pulls: "all" | "untouched"): Promise<readonly string[]> {
  const { request, host, kept, record } = run;
  const { start, undone } = await kept();
  if (request.work.kind !== "resolve" || !start) return [];
  await dropStaging(run);
  const { base } = start;
  const opened = await findPulls(run);
  const own = opened?.find((pull) => isOfRun(request, pull));
  const before = undone?.by === request.id ? undone.what : [];
  if (pulls === "untouched" && own && !(await isDeletable(own.branch))) return before;
  const branches: string[] = [];
  for (const branch of own ? [own.branch] : await branchesWithout(opened ?? []))
    if (await isDeletable(branch)) branches.push(branch);
  const found = branches.map((branch) => `the branch \`${branch}\``);
  if (own) found.unshift(`pull request #${own.number} (closed)`);
  const what = [...new Set([...before, ...found])];
  // Kept first: otherwise the next try after a crash would say that nothing was there.
  if (found.length > 0) await record("undone", { by: request.id, what });
  for (const branch of branches) await host.deleteRef(`heads/${branch}`);
  if (own) {
    const body = own.body.replace(markers.run(request.root), "").trimStart();
    await host.updatePullRequest(own.number, { state: "closed", body });
  }
  return what;

  /** The issue's branches that no pull request was opened from. */
  async function branchesWithout(others: readonly HostPullRequest[]): Promise<readonly string[]> {
    const wanted = branchOf(run.settings.branch, request.issue, start?.issue.title ?? "");
    const free: string[] = [];
    for (const branch of branchNames(wanted)) {
      if ((await host.branchTip(branch)) === undefined) break;
      if (!others.some((pull) => pull.branch === branch)) free.push(branch);
    }
    return free;
  }

  async function isDeletable(branch: string): Promise<boolean> {
    const tip = await host.branchTip(branch);
    return tip !== undefined && isOwnBranch(host, tip, base.commit);
  }
}

/** Deletes the staging refs. */
export async function dropStaging({ request: { root, id }, host }: RunContext): Promise<void> {
  for (const run of new Set([root, id])) await host.deleteRef(stagingRef(run).replace(/^refs\//, ""));
}

/** The pull request that a run opened and did not take back, unless it is merged. */
export async function ownPull(run: RunContext): Promise<HostPullRequest | undefined> {
  return (await findPulls(run))?.find((pull) => isOfRun(run.request, pull));
}

const isOfRun = ({ root }: RunRequest, { merged, body }: HostPullRequest) =>
  !merged && body.includes(markers.run(root));

async function findPulls({
  request,
  host,
  kept,
  settings,
}: RunContext): Promise<readonly HostPullRequest[] | undefined> {
  const { start } = await kept();
  return start && host.findOwnPullRequests(branchOf(settings.branch, request.issue, start.issue.title), "all");
}
