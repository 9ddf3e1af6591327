import type { RunRequest } from "../../model/run-request.ts";
import type { RunResult } from "../../model/run-result.ts";
import { tellFollowUp } from "../publish/tell-follow-up.ts";
import { findOrigin } from "../run/find-origin.ts";
import type { RunTools } from "../run/run-tools.ts";
import type { FailingChecks } from "./situation.ts";

/** Puts the repair's line into the pull request's body and the tracking comment of the run that opened it. */
export async function tellRepair(
  deps: { readonly request: RunRequest; readonly failing: FailingChecks; readonly result: RunResult },
  tools: Pick<RunTools, "host" | "earlierRun" | "tracker">,
): Promise<void> {
  const { request, failing, result } = deps;
  const { pull, ours } = failing;
  const { root, issue } = await findOrigin(request, pull, tools);
  const open = (await tools.host.listThreads(pull.number)).filter(({ resolved }) => !resolved).length;
  const names = ours.map(({ name }) => name).join(", ");
  const what = `${ours.length === 1 ? "Failing check" : "Failing checks"}: ${names}`;
  const { money } = tools.tracker.state().spend;
  const followUp = { run: request.id, what, outcome: outcomeOf(result, failing), open, money };
  await tellFollowUp({ tools, root, issue: issue.number, pullRequest: pull.number, followUp });
}

function outcomeOf(result: RunResult, { earlier }: FailingChecks): string {
  if (result.kind === "published") return `repair ${earlier.length + 1}, for the checks to judge`;
  if (result.kind === "nothing-to-change" || result.kind === "gave-up") return "not repaired, nothing was changed";
  return "had to stop; the pull request's comments say why";
}
