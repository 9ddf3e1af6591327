import { isHostRefusal } from "../../model/error.ts";
import { markers } from "../../model/marks.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { PullRequestLink, RunResult } from "../../model/run-state.ts";
import { CHECK_NAME, checkReport } from "../../report/check-report.ts";
import { proofBlock, replaceProof } from "../../report/pull-request-body.ts";
import { untested } from "../../report/untested.ts";
import type { RunTools } from "../run/run-tools.ts";
import { dropStaging, ownPull, rollback } from "./rollback.ts";

type CleanUpTools = Pick<RunTools, "host" | "kept" | "record" | "settings">;

/** Ends with which nothing of a run may stay on the host as if it were worked on. */
const WITHOUT_A_CHANGE: ReadonlySet<RunResult["kind"]> = new Set([
  "cancelled",
  "failed",
  "budget-reached",
  "gave-up",
  "nothing-to-change",
]);

/**
 * Brings everything that an ended run has on the host to a true end: objects that wait for their commit, a check run in
 * progress, a branch without a pull request, a pull request that says it is being tested. All of it is found by the
 * run's marks and its record, so that it can be done again at any time, by any process. Gives the result with what was
 * taken back, and which pull request stays. Throws what the host throws.
 */
export async function cleanUp(request: RunRequest, tools: CleanUpTools, result: RunResult): Promise<RunResult> {
  if (!WITHOUT_A_CHANGE.has(result.kind)) return result;
  const { host, kept } = tools;
  const { start, commit } = await kept();
  await dropStaging(request, host);
  if (commit) await endCheck(request, tools, commit.id);
  if (request.work.kind !== "resolve" || !start) return result;
  const stays = result.kind === "cancelled" ? undefined : await settlePull(request, tools, commit?.id);
  const undone = stays ? [] : await rollback(request, tools);
  const ended = undone.length > 0 || result.kind === "cancelled" ? { ...result, undone } : result;
  return stays && ended.kind === "failed" ? { ...ended, stays } : ended;
}

/** Ends the app's check run on a commit, if it says that the work goes on. */
async function endCheck({ work, issue }: RunRequest, { host }: CleanUpTools, head: string): Promise<void> {
  try {
    const checks = await host.checksOf(head);
    if (!checks.some(({ byApp, name, state }) => byApp && name === CHECK_NAME && state === "pending")) return;
    const what = work.kind === "resolve" ? `Work on #${issue}` : `Work on pull request #${issue}`;
    const end = { failed: "The run ended before this was done. Its comment says how." };
    await host.reportCheck(head, checkReport({ what, end, outcomes: [] }));
  } catch (error) {
    // A host that lets nobody read or write checks has shown none.
    if (!isHostRefusal(error)) throw error;
  }
}

/**
 * The run's pull request, if the whole change is in it: a run that fails after that has nothing to take back. Its body
 * promises nothing more then. `whole`: the commit of the change.
 */
async function settlePull(
  request: RunRequest,
  tools: CleanUpTools,
  whole: string | undefined,
): Promise<PullRequestLink | undefined> {
  const pull = await ownPull(request, tools);
  if (!pull) return undefined;
  const { number, url, head, body, open } = pull;
  const isWaiting = body.includes(markers.proving);
  // A draft with a test that fails and no fix would only be in the way.
  if (isWaiting && head !== whole) return undefined;
  if (isWaiting) {
    const block = proofBlock({ unproved: untested.ended, keep: true });
    await tools.host.updatePullRequest(number, { body: replaceProof(body, block) });
  }
  return open ? { number, url } : undefined;
}
