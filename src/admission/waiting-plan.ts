import type { RunRequest } from "../model/run-request.ts";
import type { CommandContext } from "./command-context.ts";

/** The latest run, when its plan waits for approval and nothing has been started since. */
export function waitingPlan({
  latest,
  unfinished,
}: Pick<CommandContext, "latest" | "unfinished">): RunRequest | undefined {
  return unfinished.length === 0 && latest?.state?.result?.kind === "awaiting-approval" ? latest.request : undefined;
}
