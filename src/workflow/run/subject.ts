import { isMagisError } from "../../model/error.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { StopReason } from "../../model/run-state.ts";
import type { CodeHost } from "../../ports/code-host.ts";

/**
 * Why there is nothing more to be done on the issue or pull request of a run, or undefined while it is there and open. It
 * is asked between phases, for webhooks that did not arrive.
 */
export async function whyStopped(
  { work, issue }: RunRequest,
  host: Pick<CodeHost, "readIssue" | "readPullRequest" | "defaultBranch">,
): Promise<StopReason | undefined> {
  try {
    if (work.kind !== "resolve") {
      const { open, merged, locked } = await host.readPullRequest(issue);
      if (merged) return "merged";
      return open ? lockedOr(locked) : "closed";
    }
    const { number, open, locked } = await host.readIssue(issue);
    // GitHub answers for a transferred issue with the one that it has become.
    if (number !== issue) return "transferred";
    return open ? lockedOr(locked) : "closed";
  } catch (error) {
    if (!isMagisError(error, "HOST_NOT_FOUND")) throw error;
    if (error.data.status === 410) return "deleted";
    // A repository that is still there has lost the issue to one that we may not see; else it is we who lost access.
    await host.defaultBranch();
    return "transferred";
  }
}

const lockedOr = (locked: boolean | undefined): StopReason | undefined => (locked ? "locked" : undefined);
