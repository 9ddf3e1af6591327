import type { AdmissionDecision } from "../model/admission-decision.ts";
import { commandAnswer } from "../report/command-answer.ts";
import type { CommandContext } from "./command-context.ts";

/** `/magis cancel`, and the label taken off: ends what works or waits on the issue and on its pull request. */
export async function cancel(context: CommandContext): Promise<AdmissionDecision | undefined> {
  const { delivery, issue, pull, unfinished, verbs, onPullRequest } = context;
  if (unfinished.length === 0) {
    await context.answer(
      commandAnswer.nothing("Nothing is at work or waiting for its turn here.", verbs, onPullRequest),
    );
    return undefined;
  }
  const { repository, actor: by } = delivery;
  return { cancel: { repository, issue, by, ...(pull && { also: [pull.number] }) } };
}
