import { isHostRefusal, isMagisError } from "../../model/error.ts";
import type { PullRequestLink } from "../../model/run-state.ts";
import type { TaskOutcome } from "../../model/work.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import type { Log } from "../../ports/log.ts";
import { type CommitReport, checkReport } from "../../report/check-report.ts";

/**
 * Makes or updates the app's one check run on its own commit. A host that refuses it (an app installed before it asked
 * for the permission) or is away does not stop the run.
 */
export async function showCheck(host: CodeHost, head: string, report: CommitReport, log: Log): Promise<void> {
  try {
    await host.reportCheck(head, checkReport(report));
  } catch (error) {
    if (!isHostRefusal(error, "HOST_UNREACHABLE")) throw error;
    log.warn({ error, head }, "could not show the app's check run");
  }
}

/**
 * Does `work` while the app's check run on `head` is in progress, then shows how it ended. `outcomes` are
 * what was made, for the end.
 */
export async function withCheck<T extends { readonly pullRequest: PullRequestLink; readonly openThreads: number }>(
  deps: {
    readonly host: CodeHost;
    readonly head: string;
    readonly log: Log;
    readonly report: Omit<CommitReport, "end" | "pullRequest">;
    readonly outcomes: readonly TaskOutcome[];
  },
  work: () => Promise<T>,
): Promise<T> {
  const { host, head, log, report, outcomes } = deps;
  await showCheck(host, head, report, log);
  try {
    const done = await work();
    const end = { outcomes, openComments: done.openThreads };
    await showEnd({ ...report, end, pullRequest: done.pullRequest });
    return done;
  } catch (error) {
    // Suspended work shows its end later; cancelled work is cleaned up (`clean-up.ts`).
    if (isMagisError(error) && error.code !== "RUN_CANCELLED") {
      await showCheck(host, head, { ...report, end: { failed: error.message } }, log).catch(() => undefined);
    }
    throw error;
  }

  /** Unlike the beginning, the end waits out an outage: otherwise the check would stay in progress for ever. */
  async function showEnd(ended: CommitReport): Promise<void> {
    try {
      await host.reportCheck(head, checkReport(ended));
    } catch (error) {
      if (!isHostRefusal(error)) throw error;
      log.warn({ error, head }, "the host refused the result of the app's check run");
      const failed = "GitHub did not take what was found. The pull request tells.";
      await showCheck(host, head, { ...report, end: { failed } }, log);
    }
  }
}
