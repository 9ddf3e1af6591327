import type { MadePlan, ProposedPlan } from "../model/plan.ts";
import type { Base, KeptStart } from "../model/run-record.ts";
import type { RunRequest } from "../model/run-request.ts";
import type { RunResult } from "../model/run-state.ts";
import { estimateCost } from "../model/spend.ts";
import type { Log } from "../ports/log.ts";
import type { Step } from "../ports/step.ts";
import { publishChange } from "./publish/publish-change.ts";
import { failureResult, resultOfWork } from "./run/ends.ts";
import { abortableTools, createPhaseRunner } from "./run/phase-runner.ts";
import type { RunTools } from "./run/run-tools.ts";
import { planMark, startRun } from "./run/start.ts";
import { callForm, locateFiles, makePlan, writeCode } from "./strategy/phases.ts";

/**
 * The main job: from an issue to a reviewed pull request. Each phase is a checkpointed step; whatever ends the run,
 * the tracking comment says so. `open` gives the run's tools, the same ones each time, and is asked inside steps only,
 * so that a host that is away is waited for. Never throws: an unexpected end is a result of kind `failed`.
 */
export async function resolveIssue(
  request: RunRequest,
  open: () => Promise<RunTools>,
  step: Step,
  log: Log,
): Promise<RunResult> {
  const phases = createPhaseRunner(open, step);
  try {
    const start = await step("start", async ({ signal }) => startRun(request, abortableTools(await open(), signal)));
    if ("refused" in start) return await end({ kind: "refused", reason: start.refused });
    const { issue, base } = start;

    const candidates = await phases.run("locate", base, (tools) => locateFiles({ ...tools, issue }));

    const plan = await phases.run("plan", base, (tools) => makePlan({ ...tools, issue, candidates }));
    if (plan.tasks.length === 0) {
      return await end({ kind: plan.refused > 0 ? "gave-up" : "nothing-to-change", reason: plan.reason });
    }

    const renewed = whyRenewed(start, plan);
    if (request.work.kind === "resolve" && (request.work.gate === "plan" || renewed !== undefined)) {
      const proposed = await step("propose", async () => proposePlan(plan, base, await open()));
      return await end({ kind: "awaiting-approval", plan: proposed, ...(renewed !== undefined && { renewed }) });
    }

    const work = await phases.run("code", base, (tools) => writeCode({ ...tools, issue, plan }));
    const early = resultOfWork(work);
    if (early) return await end(early);

    const published = await phases.run("publish", base, (tools) =>
      publishChange({ ...tools, request, issue, base, plan, work }),
    );
    return await end({ kind: "published", ...published });
  } catch (error) {
    return await end(failureResult(error, phases.current(), log));
  }

  async function end(result: RunResult): Promise<RunResult> {
    await step("end", async ({ signal }) => abortableTools(await open(), signal).tracker.end(result)).catch(
      (error: unknown) =>
        log.error({ error, result: result.kind }, "the end of the run could not be told on the issue"),
    );
    return result;
  }
}

/** Why a plan goes before a person again although one was approved: it is not that one, or no longer fits its commit. */
function whyRenewed({ renewed, approved }: KeptStart, plan: MadePlan): string | undefined {
  if (renewed !== undefined || approved === undefined || approved === planMark(plan)) return renewed;
  return "The plan that was approved could not be found again, and this one is not the same.";
}

/** The plan as a person is to approve it, with what carrying it out may cost. */
function proposePlan(
  { tasks, order, meeting }: MadePlan,
  base: Base,
  { tracker, settings }: Pick<RunTools, "tracker" | "settings">,
): ProposedPlan {
  return {
    tasks: tasks.map(({ id, path, action, title, description }) => ({ id, path, action, title, description })),
    ...{ order, meeting, base },
    estimate: estimateCost(tracker.state().spend, {
      ...{ tasks: tasks.length, rounds: settings.reviewRounds, form: callForm(settings.profile) },
    }),
  };
}
