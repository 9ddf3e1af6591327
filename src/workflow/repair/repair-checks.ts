import { markers } from "../../model/marks.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { RunResult } from "../../model/run-state.ts";
import { checkComment, type UnsteadyCheck } from "../../report/check-comment.ts";
import { tellFollowUp } from "../publish/follow-up.ts";
import { resultOfWork } from "../run/ends.ts";
import type { PhaseRunner, RunKind } from "../run/phase-runner.ts";
import { findOrigin } from "../run/record.ts";
import type { RunTools } from "../run/run-tools.ts";
import { writeKeepingChecks } from "../strategy/keep-checks.ts";
import { diagnose } from "./diagnose.ts";
import { planRepair } from "./plan-repair.ts";
import { publishRepair } from "./publish-repair.ts";
import { checkNames, type FailingChecks, postCheckComment, readSituation } from "./read-situation.ts";

const GONE_ON: RunResult = { kind: "nothing-to-change", reason: "The pull request was closed or has gone on." };

/**
 * Repairs what makes the checks of the bot's pull request fail, in one commit: read the situation, read the failures,
 * plan (the Manager), code (Algorithm 3), publish. When nothing is to be done the run ends without a call to the model
 * and without a word; an unexpected end is told on the pull request.
 */
export function repairChecks(request: RunRequest): RunKind {
  const head = request.work.kind === "repair" ? request.work.head : "";
  const base = { commit: head };
  /** what a line in the pull request's body is due about */
  let found: FailingChecks | undefined;
  return {
    async phases(run) {
      const situation = await run.step("read", (tools) => readSituation(tools, request.issue, head));
      if ("nothing" in situation) return { silent: { kind: "nothing-to-change", reason: situation.nothing } };
      const { failing } = situation;
      found = failing;
      const risen = { ...base, reds: failing.earlier.length + 1 };
      const {
        failures,
        issue,
        unsteady = [],
      } = await run.phase("locate", base, (tools) => diagnose({ ...tools, failing }), "diagnose");

      const left = [...(failing.unsteady ?? []), ...unsteady];
      if (failures.length === 0 && unsteady.length > 0) return tellUnsteady(failing, left, run);

      const planned = await run.phase("plan", risen, (tools) =>
        planRepair({ ...tools, request, failing, failures, issue }),
      );
      const { plan, reason } = planned;
      if (plan.tasks.length === 0) return tellNotRepaired(failing, reason, run);

      const work = await run.phase("code", risen, (tools) => writeKeepingChecks({ ...tools, issue, plan }));
      const unchanged = resultOfWork(work);
      if (unchanged && "reason" in unchanged) return tellNotRepaired(failing, unchanged.reason, run);
      if (unchanged) return unchanged;

      const published = await run.phase("publish", base, (tools) =>
        publishRepair({ ...tools, request, failing, planned, work }),
      );
      if (published === "passed") {
        const why = "it passed when it was run again, with nothing changed";
        return tellUnsteady(
          failing,
          failing.ours.map(({ name }) => ({ name, why })),
          run,
        );
      }
      if (published) return { kind: "published", ...published };
      found = undefined;
      return GONE_ON;
    },
    async tell(result, tools, about) {
      if (about) await tellRepair({ request, failing: about as FailingChecks, result }, tools);
    },
    about: () => found,
  };
}

/** Says on the pull request why its checks were not repaired. */
async function tellNotRepaired(failing: FailingChecks, reason: string, run: PhaseRunner): Promise<RunResult> {
  const { number, head } = failing.pull;
  await run.step("tell", async ({ host, tracker, log }) => {
    const body = checkComment.notRepaired(checkNames(failing), reason, tracker.state().spend);
    await postCheckComment({ host, pullRequest: number, marker: markers.checked(head), body, log });
  });
  return { kind: "nothing-to-change", reason };
}

/** Says on the pull request which checks are left as they are, and why. */
async function tellUnsteady(
  failing: FailingChecks,
  left: readonly UnsteadyCheck[],
  run: PhaseRunner,
): Promise<RunResult> {
  const { number, head } = failing.pull;
  await run.step("tell", async ({ host, log }) => {
    const body = checkComment.unsteady(checkNames(failing), left);
    await postCheckComment({ host, pullRequest: number, marker: markers.checked(head), body, log });
  });
  return { kind: "nothing-to-change", reason: "What fails does not look like this change's." };
}

/** Puts the repair's line into the pull request's body and the tracking comment of the run that opened it. */
async function tellRepair(
  deps: { readonly request: RunRequest; readonly failing: FailingChecks; readonly result: RunResult },
  tools: Pick<RunTools, "host" | "earlierRun" | "settings" | "tracker">,
): Promise<void> {
  const { request, failing, result } = deps;
  const { pull, ours } = failing;
  const { root, issue } = await findOrigin(request, pull, tools);
  const names = ours.map(({ name }) => name).join(", ");
  const what = `${ours.length === 1 ? "Failing check" : "Failing checks"}: ${names}`;
  const line = { run: request.id, what, outcome: outcomeOf(result, failing) };
  await tellFollowUp({ root, issue: issue.number, pullRequest: pull.number, line }, tools);
}

function outcomeOf(result: RunResult, { earlier }: FailingChecks): string {
  if (result.kind === "published") return `repair ${earlier.length + 1}, for the checks to judge`;
  if (result.kind === "nothing-to-change" || result.kind === "gave-up") return "not repaired, nothing was changed";
  return "had to stop; the pull request's comments say why";
}
