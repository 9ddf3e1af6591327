import type { AdmissionDecision } from "../model/admission-decision.ts";
import { commandAnswer } from "../report/command-answer.ts";
import type { CommandContext } from "./command-context.ts";
import { continueFrom } from "./continue-from.ts";

/** `/magis retry` on the issue: goes on with its latest run, when that failed, gave up or was cancelled. */
export async function retry(context: CommandContext): Promise<AdmissionDecision | undefined> {
  const { delivery, latest, unfinished, verbs } = context;
  const result = latest?.state?.result;
  const isLeft = result?.kind === "failed" || result?.kind === "gave-up" || result?.kind === "cancelled";
  if (!latest || !isLeft || unfinished.length > 0) {
    await context.answer(commandAnswer.nothing("There is no run here that ended without a result.", verbs));
    return undefined;
  }
  // The same questions have the same answers, so that giving up would be repeated word for word.
  const words = result.kind === "gave-up" ? `An earlier attempt did not succeed: ${result.reason}` : undefined;
  return { start: continueFrom(delivery, latest.request, words === undefined ? {} : { words }) };
}
