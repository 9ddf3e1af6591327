import type { Verb } from "./command.ts";
import type { RunState } from "./run-state.ts";

/**
 * The commands that do something now, in the order in which they are shown. `state` is that of the latest run:
 * undefined when there was none, without a result while it works or waits for its turn.
 */
export function workingCommands(state: RunState | undefined, onPullRequest = false): readonly Verb[] {
  if (state && !state.result) return ["status", "cancel", "help"];
  if (onPullRequest)
    return state?.result?.kind === "budget-reached" ? ["continue", ...ON_PULL_REQUEST] : ON_PULL_REQUEST;
  switch (state?.result?.kind) {
    case "awaiting-approval":
      return ["approve", "plan", "resolve", "status", "help"];
    case "budget-reached":
      return ["continue", "resolve", "plan", "status", "help"];
    case "failed":
    case "gave-up":
    case "cancelled":
      return ["retry", "resolve", "plan", "status", "help"];
    case "published":
      return ["status", "help"];
    default:
      return ["resolve", "plan", "status", "help"];
  }
}

const ON_PULL_REQUEST: readonly Verb[] = ["resolve", "retry", "status", "help"];
