import { isMagisError } from "../../model/magis-error.ts";
import type { CheckApi } from "../../ports/check-api.ts";
import type { Log } from "../../ports/log.ts";
import { type CommitReport, checkReport } from "../../report/check-report.ts";

/**
 * Shows the app's check run on a commit of its own, made or brought up to date: there is never a second one. A host that
 * refuses it (an app that was installed before it asked for the permission), or is away, costs the run nothing.
 */
export async function showCheck(
  host: Pick<CheckApi, "reportCheck">,
  head: string,
  report: CommitReport,
  log: Log,
): Promise<void> {
  try {
    await host.reportCheck(head, checkReport(report));
  } catch (error) {
    if (!isMagisError(error, "HOST_REFUSED", "HOST_NOT_FOUND", "HOST_UNREACHABLE")) throw error;
    log.warn({ error, head }, "the host did not take the app's check run");
  }
}
