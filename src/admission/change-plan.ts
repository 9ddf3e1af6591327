import type { AdmissionDecision } from "../model/admission-decision.ts";
import type { CommandContext } from "./command-context.ts";
import { continueFrom } from "./continue-from.ts";
import { waitingPlan } from "./waiting-plan.ts";

/** A comment while a plan waits for approval: the plan is made again with these words as a further hint. */
export function changePlan(context: CommandContext, words: string): AdmissionDecision | undefined {
  const waiting = waitingPlan(context);
  if (!waiting) return undefined;
  return { start: continueFrom(context.delivery, waiting, { work: { kind: "resolve", gate: "plan" }, words }) };
}
