import type { RunRequest } from "../model/run-request.ts";
import type { RunResult } from "../model/run-state.ts";
import type { Step } from "../ports/step.ts";
import { rollback } from "./publish/rollback.ts";
import { repairChecks } from "./repair/repair-checks.ts";
import { resolveIssue } from "./resolve-issue.ts";
import { revisePullRequest } from "./revise/revise-pull-request.ts";
import { openRunTools, type RunDependencies } from "./run/open-run.ts";
import { runPhases } from "./run/phase-runner.ts";
import type { RunTools } from "./run/run-tools.ts";

/** What the engine calls: a whole run, and the last word on one that was cancelled or given up. */
export interface RunHandlers {
  resolve(request: RunRequest, step: Step): Promise<RunResult>;
  cancelled(request: RunRequest, by: string): Promise<void>;
  abandoned(request: RunRequest, reason: string): Promise<void>;
}

/** What carries out each kind of work. */
const WORK = { resolve: resolveIssue, revise: revisePullRequest, repair: repairChecks } as const;

export function createRunHandlers(deps: RunDependencies): RunHandlers {
  const { log } = deps;
  return {
    async resolve(request, step) {
      let opening: Promise<RunTools> | undefined;
      const open = () => {
        opening ??= openRunTools(request, deps).catch((error: unknown) => {
          opening = undefined;
          throw error;
        });
        return opening;
      };
      try {
        const result = await runPhases(WORK[request.work.kind](request), { open, step, log });
        const reason = "reason" in result && result.reason;
        const { id, work } = request;
        log.info({ run: id, work: work.kind, result: result.kind, ...(reason && { reason }) }, "the run ended");
        return result;
      } finally {
        (await opening)?.close();
      }
    },

    async cancelled(request, by) {
      const tools = await openRunTools(request, deps, { works: false });
      const undone = await rollback(request, tools);
      await tools.tracker.end({ kind: "cancelled", by, undone });
    },

    async abandoned(request, reason) {
      const tools = await openRunTools(request, deps, { works: false });
      await tools.tracker.end({ kind: "failed", code: "RUN_ABANDONED", message: reason });
    },
  };
}
