import { admit, isUrgent } from "../admission/admit.ts";
import { awaitsApproval } from "../admission/commands.ts";
import type { HandlerDependencies } from "../admission/dependencies.ts";
import { equalNames } from "../admission/guards.ts";
import { reportFaults, withSettings } from "../admission/settings.ts";
import type { AdmissionDecision, Delivery, RunRequest } from "../model/run-request.ts";
import type { RunResult } from "../model/run-state.ts";
import type { Step } from "../ports/step.ts";
import { rollback } from "./publish/rollback.ts";
import { repairChecks } from "./repair/repair-checks.ts";
import { resolveIssue } from "./resolve-issue.ts";
import { reviseChange } from "./revise/revise-pull-request.ts";
import { openRunTools } from "./run/open-run.ts";
import type { RunTools } from "./run/run-tools.ts";

/** What the engine calls: the guards of a delivery, a whole run, and the last word on a run that was given up. */
export interface Handlers {
  admit(delivery: Delivery): Promise<AdmissionDecision | undefined>;
  resolve(request: RunRequest, step: Step): Promise<RunResult>;
  cancelled(request: RunRequest, by: string): Promise<void>;
  abandoned(request: RunRequest, reason: string): Promise<void>;
}

/** What carries out each kind of work. */
const WORK = { resolve: resolveIssue, revise: reviseChange, repair: repairChecks } as const;

export function createHandlers(deps: HandlerDependencies): Handlers {
  const { log } = deps;
  return {
    async admit(delivery) {
      const { trigger } = delivery;
      // Most comments on issues are none of the bot's business.
      const isComment = trigger.kind === "comment" && !trigger.onPullRequest;
      if (isComment && !(await awaitsApproval(delivery, deps.store))) return undefined;
      const host = await deps.openCodeHost(delivery.repository);
      const read = await deps.readSettings(delivery.repository, host);
      if ("faults" in read) {
        if (isUrgent(delivery, deps.label)) return admit(delivery, host, deps);
        log.info({ delivery: delivery.id, faults: read.faults }, "the repository's configuration has faults");
        await reportFaults(delivery, host, read.faults, deps);
        return undefined;
      }
      const { settings } = read;
      const isLabel = trigger.kind === "label" || trigger.kind === "unlabel";
      if (isLabel && !equalNames(trigger.label, settings.label)) return undefined;
      const { allowedBots, budget, draft } = settings;
      return withSettings(
        await admit(delivery, host, { ...deps, allowedBots, budget, settings: { ...deps.settings, draft } }),
        settings,
      );
    },

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
        return await WORK[request.work.kind](request, open, step, log);
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
