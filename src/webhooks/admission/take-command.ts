import { type AdmissionDecision, type Delivery, endsWork } from "../../data/run-request.ts";
import type { CodeHost } from "../../github/code-host.ts";
import { sayOnce } from "../../report/tracking-comment.ts";
import { findOwnPull, openCommand } from "./command-context.ts";
import { cancel, carryOut, changePlan, takeAnswer, whatCommentIs } from "./commands.ts";
import { requireReadableOptions } from "./courtesy-guards.ts";
import type { AdmissionDependencies, Guard, GuardRules } from "./dependencies.ts";
import { ANSWERERS, acknowledge, askGuards, guardsOf, requireTrigger } from "./guards.ts";
import { recordRefusal } from "./record-decision.ts";

/**
 * Handles commands other than `resolve` on an issue, the label taken off, and comments on an issue whose plan waits for
 * approval or whose run has asked a question. Returns the decision and answers on GitHub once; whoever may not ask gets
 * a reaction only. Throws what the host and the store throw; it can then be run again.
 */
export async function takeCommand(
  delivery: Delivery,
  host: CodeHost,
  deps: AdmissionDependencies,
): Promise<AdmissionDecision | undefined> {
  const { trigger } = delivery;
  const comment = trigger.kind === "comment" ? await whatCommentIs(delivery, deps.store) : undefined;
  if (trigger.kind === "comment" && comment === undefined) return undefined;
  const isOnPull = trigger.kind === "other-command" && trigger.on === "pull request";
  if (isOnPull && !(await findOwnPull(delivery, host))) return undefined;
  const guards = comment === "answer" ? ANSWERERS : [...guardsOf(trigger), requireReadableOptions, requireTrigger];
  const refused = await admitCommand(delivery, host, deps, guards);
  if (refused !== undefined) {
    recordRefusal(deps, delivery, refused);
    return undefined;
  }
  const context = await openCommand(delivery, host, deps);
  if (!context) return undefined;
  if (trigger.kind === "unlabel") return cancel(context);
  if (trigger.kind === "comment") return comment === "answer" ? takeAnswer(context) : changePlan(context, trigger.body);
  return trigger.kind === "other-command" ? carryOut(trigger.command, context) : undefined;
}

/**
 * Checks who gives a command and whether it still stands. Reacts with `eyes`, or with `confused` when this person may
 * not give it. Returns the refusal, if any. Throws what the host throws, except for reactions.
 */
async function admitCommand(
  delivery: Delivery,
  host: CodeHost,
  rules: GuardRules,
  guards: readonly Guard[],
): Promise<string | undefined> {
  const refusal = await askGuards(guards, delivery, host, rules);
  if (refusal) {
    if (refusal.confused && delivery.trigger.kind === "other-command") await acknowledge(delivery, host, "confused");
    if (refusal.comment) await sayOnce(host, delivery.issue, refusal.comment.marker, refusal.comment.body);
    return refusal.reason;
  }
  const { trigger } = delivery;
  if (trigger.kind === "unlabel") return undefined;
  const seen = acknowledge(delivery, host, "eyes");
  // Not awaited: writes queue behind GitHub's limits, and what is cancelled must not go on meanwhile.
  if (endsWork(delivery)) seen.catch(() => undefined);
  else await seen;
  return undefined;
}
