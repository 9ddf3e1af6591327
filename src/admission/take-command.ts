import { type AdmissionDecision, type Delivery, endsWork } from "../model/run-request.ts";
import type { CodeHost } from "../ports/code-host.ts";
import { findSubject, openCommand } from "./command-context.ts";
import { cancel, carryOut, changePlan, takeAnswer, whatCommentIs } from "./commands.ts";
import type { AdmissionDependencies, AdmissionHost, Guard } from "./dependencies.ts";
import { ANSWERERS, acknowledge, askGuards, guardsOf, requireTrigger } from "./guards.ts";

/**
 * Commands other than `resolve` on an issue, the label taken off, and comments on an issue whose plan waits for approval or
 * whose run has asked something.
 * Gives what comes of them, and answers on GitHub once; who may not ask gets a reaction only.
 * Throws what the host and the store throw; it may then be done again.
 */
export async function takeCommand(
  delivery: Delivery,
  host: CodeHost,
  deps: AdmissionDependencies,
): Promise<AdmissionDecision | undefined> {
  const { trigger } = delivery;
  const comment = trigger.kind === "comment" ? await whatCommentIs(delivery, deps.store) : undefined;
  if (trigger.kind === "comment" && comment === undefined) return undefined;
  // Other bots' pull requests are none of its business either.
  if (trigger.kind === "other-command" && trigger.onPullRequest && !(await findSubject(delivery, true, host)))
    return undefined;
  const guards = comment === "answer" ? ANSWERERS : [...guardsOf(trigger), requireTrigger];
  const refused = await admitCommand(delivery, host, deps, guards);
  if (refused !== undefined) {
    deps.log.info({ delivery: delivery.id, reason: refused }, "delivery refused");
    return undefined;
  }
  const context = await openCommand(delivery, host, deps);
  if (!context) return undefined;
  if (trigger.kind === "unlabel") return cancel(context);
  if (trigger.kind === "comment") return comment === "answer" ? takeAnswer(context) : changePlan(context, trigger.body);
  return trigger.kind === "other-command" ? carryOut(trigger.command, context) : undefined;
}

/**
 * Asks who gives a command, and whether it still stands: a reaction says that it was heard, `confused` that it was not
 * for this person to give. Gives why it is refused, if it is. Throws what the host throws, but for reactions.
 */
async function admitCommand(
  delivery: Delivery,
  host: AdmissionHost,
  options: { readonly allowedBots: readonly string[] },
  guards: readonly Guard[],
): Promise<string | undefined> {
  const refusal = await askGuards(guards, delivery, host, options);
  if (refusal) {
    if (refusal.confused && delivery.trigger.kind === "other-command") await acknowledge(delivery, host, "confused");
    return refusal.reason;
  }
  const { trigger } = delivery;
  if (trigger.kind === "unlabel") return undefined;
  const seen = acknowledge(delivery, host, "eyes");
  // Writes wait for each other, and for the host's limits: what is to end must not go on meanwhile.
  if (endsWork(delivery)) seen.catch(() => undefined);
  else await seen;
  return undefined;
}
