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

/** Ends after which nothing on the host may look as if work went on. */
const WITHOUT_A_CHANGE: ReadonlySet<RunResult["kind"]> = new Set([
  "cancelled",
  "failed",
  "budget-reached",
  "gave-up",
  "nothing-to-change",
]);

/**
 * Cleans up what an ended run left on the host: staged objects, a check run in progress, a branch without a pull
 * request, a pull request that says it is being tested. It finds all of it by the run's marks and record, so any
 * process can repeat it at any time. Gives the result with what was taken back, and which pull request stays. Throws
 * what the host throws.
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

/** Ends the app's check run on a commit, if it is still in progress. */
async function endCheck({ work, issue, page }: RunRequest, { host }: CleanUpTools, head: string): Promise<void> {
  try {
    const checks = await host.checksOf(head);
    if (!checks.some(({ byApp, name, state }) => byApp && name === CHECK_NAME && state === "pending")) return;
    const what = work.kind === "resolve" ? `Work on #${issue}` : `Work on pull request #${issue}`;
    const end = { failed: "The run ended before this was done. Its comment says how." };
    await host.reportCheck(head, checkReport({ what, end, page }));
  } catch (error) {
    // Without permission for checks there is none to end.
    if (!isHostRefusal(error)) throw error;
  }
}

/**
 * The run's pull request, if it holds the whole change: a run that fails later takes nothing back, and the body
 * promises nothing more. `whole`: the commit of the change.
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
