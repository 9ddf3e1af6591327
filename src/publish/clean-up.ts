import { isHostRefusal } from "../data/error.ts";
import { markers } from "../data/marks.ts";
import type { PullRequestLink, RunResult } from "../data/run-state.ts";
import { CHECK_NAME, checkReport } from "../report/check-report.ts";
import { proofBlock, replaceProof, untested } from "../report/proof.ts";
import type { RunContext } from "../run/run-context.ts";
import { dropStaging, ownPull, rollback } from "./rollback.ts";

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
export async function cleanUp(run: RunContext, result: RunResult): Promise<RunResult> {
  if (!WITHOUT_A_CHANGE.has(result.kind)) return result;
  const { request, kept } = run;
  const { start, commit } = await kept();
  await dropStaging(run);
  if (commit) await endCheck(run, commit.id);
  if (request.work.kind !== "resolve" || !start) return result;
  const stays = result.kind === "cancelled" ? undefined : await settlePull(run, commit?.id);
  const undone = stays ? [] : await rollback(run);
  const ended = undone.length > 0 || result.kind === "cancelled" ? { ...result, undone } : result;
  return stays && ended.kind === "failed" ? { ...ended, stays } : ended;
}

/** Ends the app's check run on a commit, if it is still in progress. */
async function endCheck({ request, host }: RunContext, head: string): Promise<void> {
  const { work, issue, page } = request;
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
async function settlePull(run: RunContext, whole: string | undefined): Promise<PullRequestLink | undefined> {
  const pull = await ownPull(run);
  if (!pull) return undefined;
  const { number, url, head, body, open } = pull;
  const isWaiting = body.includes(markers.proving);
  // A draft with a test that fails and no fix would only be in the way.
  if (isWaiting && head !== whole) return undefined;
  if (isWaiting) {
    const block = proofBlock({ unproved: untested.ended, keep: true });
    await run.host.updatePullRequest(number, { body: replaceProof(body, block) });
  }
  return open ? { number, url } : undefined;
}
