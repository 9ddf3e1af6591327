import { branchName } from "../../domain/issue/branch-name.ts";
import { markers } from "../../domain/report/markers.ts";
import type { RunRequest } from "../../domain/run/run-request.ts";
import type { RunTools } from "../run-tools.ts";
import type { Base } from "../start-run.ts";

/**
 * Takes back what a run that was ended in the middle of publishing has left on the host: its pull request is closed and
 * its branch deleted, unless a person has committed to it. Gives what was taken back, in words. Done again, it finds
 * nothing.
 */
export async function takeBack(
  request: RunRequest,
  { host, kept }: Pick<RunTools, "host" | "kept">,
): Promise<readonly string[]> {
  const start = (await kept()).start as { issue: { title: string }; base: Base } | undefined;
  if (request.work.kind !== "resolve" || !start) return [];
  const name = branchName(request.issue, start.issue.title);
  const pulls = await host.findOwnPullRequests(name, "all");
  const own = pulls.find(({ body, open }) => open && body.includes(markers.run(request.root)));
  if (own) await host.updatePullRequest(own.number, { state: "closed" });
  const branch = own?.branch ?? name;
  const tip = await host.branchTip(branch);
  const commit = tip === undefined ? undefined : await host.readCommit(tip);
  const taken = pulls.some((pull) => pull.branch === branch && pull.number !== own?.number);
  const untouched =
    commit?.author === host.login && commit.parents.length === 1 && commit.parents[0] === start.base.commit;
  if (untouched && !taken) await host.deleteRef(`heads/${branch}`);
  return [
    ...(own ? [`pull request #${own.number} (closed)`] : []),
    ...(untouched && !taken ? [`the branch \`${branch}\``] : []),
  ];
}
