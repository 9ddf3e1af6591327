import type { AdmissionDecision } from "../model/admission-decision.ts";
import { commandAnswer } from "../report/command-answer.ts";
import type { CommandContext } from "./command-context.ts";
import { continueFrom } from "./continue-from.ts";
import { waitingPlan } from "./waiting-plan.ts";

/** `/magis approve`: carries out the plan that waits; with words it is a change of the plan. */
export async function approve(context: CommandContext, words: string): Promise<AdmissionDecision | undefined> {
  const waiting = waitingPlan(context);
  if (!waiting || context.onPullRequest) {
    await context.answer(
      commandAnswer.nothing("No plan waits for approval here.", context.verbs, context.onPullRequest),
    );
    return undefined;
  }
  const gate = words === "" ? "none" : "plan";
  return {
    start: continueFrom(context.delivery, waiting, { work: { kind: "resolve", gate }, ...(words !== "" && { words }) }),
  };
}
