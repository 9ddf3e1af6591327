import { DBOS, Error as DbosError } from "@dbos-inc/dbos-sdk";
import { repositoryName } from "../model/repository-id.ts";
import type { RunRequest } from "../model/run-request.ts";
import type { RunResult } from "../model/run-result.ts";
import { QUEUES } from "./names.ts";

/** Ten years: a run waits until it is its turn (`sql/release-next-runs.ts`), not until a time. */
const UNTIL_RELEASED_SECONDS = 315_360_000;

/**
 * Puts a run at the end of the queue, once: a second run of the same issue while one is unfinished, and the same run
 * again, start nothing. May be called from a workflow; the answer is then part of its record.
 */
export async function enqueueRun(
  resolve: (request: RunRequest) => Promise<RunResult>,
  request: RunRequest,
): Promise<"queued" | "issue has an unfinished run" | "known"> {
  const { repository, issue } = request;
  const name = repositoryName(repository).toLowerCase();
  try {
    await DBOS.startWorkflow(resolve, {
      workflowID: request.id,
      workflowIDReusePolicy: "reject",
      queueName: QUEUES.runs,
      enqueueOptions: {
        // Batches of feedback and repairs wait for each other; a run that finds nothing left to do ends at once.
        ...(request.work.kind === "resolve" && { deduplicationID: `${name}#${issue}` }),
        queuePartitionKey: `${repository.installationId}/${name}`,
        delaySeconds: UNTIL_RELEASED_SECONDS,
      },
    })(request);
    return "queued";
  } catch (error) {
    // By code: on a replay the recorded error comes back without its class.
    if (DbosError.isWorkflowIDInUseError(error)) return "known";
    if (error instanceof Error && DbosError.getDBOSErrorCode(error) === DbosError.QueueDedupIDDuplicated)
      return "issue has an unfinished run";
    throw error;
  }
}
