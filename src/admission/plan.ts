import type { AdmissionDecision } from "../model/admission-decision.ts";
import { commandAnswer } from "../report/command-answer.ts";
import { admitDelivery } from "./admit-delivery.ts";
import type { CommandContext } from "./command-context.ts";
import { continueFrom } from "./continue-from.ts";
import { waitingPlan } from "./waiting-plan.ts";

const GATED = { kind: "resolve", gate: "plan" } as const;

/** `/magis plan`: a run that stops when its plan is made; with words while a plan waits, that plan is changed. */
export async function plan(context: CommandContext, words: string): Promise<AdmissionDecision | undefined> {
  const { delivery, host, deps, onPullRequest, unfinished, verbs } = context;
  const waiting = waitingPlan(context);
  if (waiting && words !== "" && !onPullRequest)
    return { start: continueFrom(delivery, waiting, { work: GATED, words }) };
  const why = onPullRequest
    ? "A plan is made on the issue, not on the pull request."
    : waiting
      ? "A plan waits for approval in the comment above. To change it, say what should be different."
      : "I am at work on this issue, or will be when it is its turn.";
  if (onPullRequest || waiting || unfinished.length > 0) {
    await context.answer(commandAnswer.nothing(why, verbs, onPullRequest));
    return undefined;
  }
  const admission = await admitDelivery(delivery, host, deps);
  if ("request" in admission) return { start: { ...admission.request, work: GATED, words } };
  deps.log.info({ delivery: delivery.id, reason: admission.refused }, "delivery refused");
  return undefined;
}
