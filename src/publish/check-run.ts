import { isHostRefusal, isMagisError } from "../data/error.ts";
import type { PullRequestLink } from "../data/run-state.ts";
import type { TaskOutcome } from "../data/work.ts";
import { type CommitReport, checkReport } from "../report/check-report.ts";
import type { RunContext } from "../run/run-context.ts";

type Report = Omit<CommitReport, "page">;

/**
 * Makes or updates the app's one check run on its own commit. A host that refuses it (an app installed before it asked
 * for the permission) or is away does not stop the run.
 */
export async function showCheck({ request, host, log }: RunContext, head: string, report: Report): Promise<void> {
  try {
    await host.reportCheck(head, checkReport({ ...report, page: request.page }));
  } catch (error) {
    if (!isHostRefusal(error, "HOST_UNREACHABLE")) throw error;
    log.warn({ error, head }, "could not show the app's check run");
  }
}

/**
 * Does `work` while the app's check run on `head` is in progress, then shows how it ended. `outcomes` are
 * what was made, for the end.
 */
export async function withCheck<T extends { pullRequest: PullRequestLink; openThreads: number }>(
  run: RunContext,
  { head, what, outcomes }: { head: string; what: string; outcomes: readonly TaskOutcome[] },
  work: () => Promise<T>,
): Promise<T> {
  const { request, host, log } = run;
  await showCheck(run, head, { what });
  try {
    const done = await work();
    const end = { outcomes, openComments: done.openThreads };
    await showEnd({ what, end, pullRequest: done.pullRequest });
    return done;
  } catch (error) {
    // Suspended work shows its end later; cancelled work is cleaned up (`clean-up.ts`).
    if (isMagisError(error) && error.code !== "RUN_CANCELLED") {
      await showCheck(run, head, { what, end: { failed: error.message } }).catch(() => undefined);
    }
    throw error;
  }

  /** Unlike the beginning, the end waits out an outage: otherwise the check would stay in progress for ever. */
  async function showEnd(ended: Report): Promise<void> {
    try {
      await host.reportCheck(head, checkReport({ ...ended, page: request.page }));
    } catch (error) {
      if (!isHostRefusal(error)) throw error;
      log.warn({ error, head }, "the host refused the result of the app's check run");
      const failed = "GitHub did not take what was found. The pull request tells.";
      await showCheck(run, head, { what, end: { failed } });
    }
  }
}
