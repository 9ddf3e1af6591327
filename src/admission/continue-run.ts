import type { AdmissionDecision } from "../model/admission-decision.ts";
import { commandAnswer } from "../report/command-answer.ts";
import type { CommandContext } from "./command-context.ts";
import { continueFrom } from "./continue-from.ts";

/**
 * `/magis continue [+amount]`: goes on with the run that ended at its budget, with `amount` US dollars more; by default
 * as much again as a run may cost. On the pull request its own latest run comes first.
 */
export async function continueRun(
  context: CommandContext,
  amount: number | undefined,
): Promise<AdmissionDecision | undefined> {
  const { delivery, deps, onPullRequest, latest, followUp, unfinished, verbs } = context;
  const candidates = onPullRequest ? [followUp, latest] : [latest, followUp];
  const ended = candidates.find((run) => run?.state?.result?.kind === "budget-reached");
  if (!ended || unfinished.length > 0) {
    await context.answer(commandAnswer.nothing("No run has ended at its budget here.", verbs, onPullRequest));
    return undefined;
  }
  const allowance = ended.request.allowance + (amount ?? deps.budget.money);
  return { start: continueFrom(delivery, ended.request, { allowance }) };
}
