import type { AdmissionDecision } from "../model/admission-decision.ts";
import type { Command } from "../model/command.ts";
import type { Delivery } from "../model/delivery.ts";
import type { CodeHost } from "../ports/code-host.ts";
import { commandAnswer } from "../report/command-answer.ts";
import { admitCommand } from "./admit-command.ts";
import { approve } from "./approve.ts";
import { awaitsApproval } from "./awaits-approval.ts";
import { cancel } from "./cancel.ts";
import { changePlan } from "./change-plan.ts";
import type { CommandContext } from "./command-context.ts";
import { continueRun } from "./continue-run.ts";
import { findSubject } from "./find-subject.ts";
import type { HandlerDependencies } from "./handler-dependencies.ts";
import { openCommand } from "./open-command.ts";
import { plan } from "./plan.ts";
import { retry } from "./retry.ts";
import { revise } from "./revise.ts";
import { status } from "./status.ts";

/**
 * Commands other than `resolve` on an issue, the label taken off, and comments on an issue whose plan waits for approval.
 * Gives what comes of them, and answers on GitHub once; who may not ask gets a reaction only.
 * Throws what the host and the store throw; it may then be done again.
 */
export async function takeCommand(
  delivery: Delivery,
  host: CodeHost,
  deps: HandlerDependencies,
): Promise<AdmissionDecision | undefined> {
  const { trigger } = delivery;
  if (trigger.kind === "comment" && !(await awaitsApproval(delivery, deps.store))) return undefined;
  // Other bots' pull requests are none of its business either.
  if (trigger.kind === "other-command" && trigger.onPullRequest && !(await findSubject(delivery, true, host)))
    return undefined;
  const refused = await admitCommand(delivery, host, deps);
  if (refused !== undefined) {
    deps.log.info({ delivery: delivery.id, reason: refused }, "delivery refused");
    return undefined;
  }
  const context = await openCommand(delivery, host, deps);
  if (!context) return undefined;
  if (trigger.kind === "unlabel") return cancel(context);
  if (trigger.kind === "comment") return changePlan(context, trigger.body);
  return trigger.kind === "other-command" ? carryOut(trigger.command, context) : undefined;
}

async function carryOut(command: Command, context: CommandContext): Promise<AdmissionDecision | undefined> {
  const { onPullRequest, verbs } = context;
  switch (command.verb) {
    case "resolve":
      return revise(context);
    case "plan":
      return plan(context, command.words);
    case "approve":
      return approve(context, command.words);
    case "retry":
      return onPullRequest ? revise(context) : retry(context);
    case "cancel":
      return cancel(context);
    case "status":
      return status(context);
    case "continue":
      return continueRun(context, command.amount);
    case "help":
      await context.answer(commandAnswer.help(verbs, onPullRequest));
      return undefined;
    case "unknown":
      await context.answer(commandAnswer.unknown(command.text, command.nearest, verbs, onPullRequest));
      return undefined;
  }
}
