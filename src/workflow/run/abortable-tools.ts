import { abortable } from "../../model/abortable.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import type { RunTools } from "./run-tools.ts";

const READS: readonly (keyof CodeHost)[] = [
  ...(["cloneToken", "readIssue", "listComments", "permissionOf", "findOwnComment", "findOwnPullRequests"] as const),
  ...(["readPullRequest", "listCommits", "findOwnReview", "listReviews", "listThreads", "defaultBranch"] as const),
  ...(["branchTip", "readCommit", "readBlob", "changedPaths", "readFile", "checksOf"] as const),
  ...(["annotationsOf", "jobLog"] as const),
];

/** The tools of a run for one of its steps: neither host nor tracking comment is written once the step is aborted. */
export function abortableTools(tools: RunTools, signal: AbortSignal): RunTools {
  return {
    ...tools,
    host: abortable(tools.host, signal, { reads: READS }),
    tracker: abortable(tools.tracker, signal, { immediate: ["state"] }),
  };
}
