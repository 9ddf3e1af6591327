import { isMagisError } from "../../model/magis-error.ts";
import type { PullRequestLink } from "../../model/run-result.ts";
import type { CheckApi } from "../../ports/check-api.ts";
import type { Log } from "../../ports/log.ts";
import type { CommitReport } from "../../report/check-report.ts";
import { showCheck } from "./show-check.ts";

interface Published {
  readonly pullRequest: PullRequestLink;
  readonly openThreads: number;
}

/**
 * Does `work` with the app's check run on `head` shown as being under way, and shows then how it ended. `report` gives
 * what is known at that moment.
 */
export async function withCheck<T extends Published>(
  deps: {
    readonly host: Pick<CheckApi, "reportCheck">;
    readonly head: string;
    readonly log: Log;
    report(): Omit<CommitReport, "end" | "pullRequest">;
  },
  work: () => Promise<T>,
): Promise<T> {
  const { host, head, log, report } = deps;
  await showCheck(host, head, report(), log);
  try {
    const done = await work();
    const end = { openComments: done.openThreads };
    await showCheck(host, head, { ...report(), end, pullRequest: done.pullRequest }, log);
    return done;
  } catch (error) {
    // Work that is suspended goes on and then shows its end; one that was cancelled is taken back with its branch.
    if (isMagisError(error) && error.code !== "RUN_CANCELLED") {
      await showCheck(host, head, { ...report(), end: { failed: error.message } }, log).catch(() => undefined);
    }
    throw error;
  }
}
