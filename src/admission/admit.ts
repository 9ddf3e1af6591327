import type { AdmissionDecision, Delivery } from "../model/run-request.ts";
import type { CodeHost } from "../ports/code-host.ts";
import { admitChecks, admitFeedback } from "./admit-follow-up.ts";
import { admitDelivery } from "./admit-request.ts";
import type { HandlerDependencies } from "./dependencies.ts";
import { equalNames } from "./guards.ts";
import { takeCommand } from "./take-command.ts";

/** What must work whatever the configuration says: ending a run, and asking how things stand. */
export function isUrgent({ trigger }: Delivery, label: string): boolean {
  if (trigger.kind === "unlabel") return equalNames(trigger.label, label);
  return trigger.kind === "other-command" && ["cancel", "status", "help"].includes(trigger.command.verb);
}

/** The guards of a delivery, by what triggered it. */
export async function admit(
  delivery: Delivery,
  host: CodeHost,
  deps: HandlerDependencies,
): Promise<AdmissionDecision | undefined> {
  const { trigger } = delivery;
  if (trigger.kind === "review" || (trigger.kind === "comment" && trigger.onPullRequest)) {
    return admitFeedback(delivery, host, deps);
  }
  if (trigger.kind === "checks") return admitChecks(delivery, host);
  if (trigger.kind !== "label" && trigger.kind !== "command") return takeCommand(delivery, host, deps);
  const admission = await admitDelivery(delivery, host, deps);
  if ("request" in admission) return { start: admission.request };
  deps.log.info({ delivery: delivery.id, reason: admission.refused }, "delivery refused");
  return undefined;
}
