import { DBOS, Error as DbosError } from "@dbos-inc/dbos-sdk";
import type { RunRequest } from "../model/run-request.ts";
import type { Log } from "../ports/log.ts";
import { QUEUES, WORKFLOWS } from "./names.ts";

const REASON = "MAGIS was stopped in the middle of this run too often, and has given it up.";

/**
 * Finds the runs that DBOS gave up (their process died too often) and has each reported once, by a workflow of its own
 * whose id any number of machines agree on. `reported` remembers what needs no second look.
 */
export async function reportAbandoned(
  abandon: (request: RunRequest, reason: string) => Promise<void>,
  reported: Set<string>,
  log: Log,
): Promise<void> {
  const runs = await DBOS.listWorkflows({
    workflowName: WORKFLOWS.resolve,
    status: "MAX_RECOVERY_ATTEMPTS_EXCEEDED",
    loadOutput: false,
  });
  for (const { workflowID, input } of runs) {
    if (reported.has(workflowID)) continue;
    const [request] = input as [RunRequest];
    try {
      await DBOS.startWorkflow(abandon, {
        workflowID: `abandon:${workflowID}`,
        workflowIDReusePolicy: "reject",
        queueName: QUEUES.deliveries,
      })(request, REASON);
      log.error({ run: workflowID }, "a run was given up: its process died too often in the middle of it");
    } catch (error) {
      if (!DbosError.isWorkflowIDInUseError(error)) throw error;
    }
    reported.add(workflowID);
  }
}
