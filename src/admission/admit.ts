import type { AdmissionDecision, Delivery } from "../model/run-request.ts";
import type { StopReason } from "../model/run-state.ts";
import type { CodeHost } from "../ports/code-host.ts";
import { admitChecks, admitFeedback } from "./admit-follow-up.ts";
import { admitDelivery } from "./admit-request.ts";
import { whatCommentIs } from "./commands.ts";
import type { AdmissionDependencies } from "./dependencies.ts";
import { equalNames } from "./guards.ts";
import { reportFaults, withSettings } from "./settings.ts";
import { takeCommand } from "./take-command.ts";

/**
 * Makes what decides about deliveries: the repository's settings are read, then the guards are asked that go with the
 * trigger. Gives what comes of a delivery, or nothing. Done again after a crash, it answers nothing twice on GitHub.
 * Throws what the host and the store throw.
 */
export function createAdmission(
  deps: AdmissionDependencies,
): (delivery: Delivery) => Promise<AdmissionDecision | undefined> {
  return async (delivery) => {
    const { trigger } = delivery;
    if (trigger.kind === "gone") return endWhatWorks(delivery, trigger.why, deps);
    // Most comments on issues are none of the bot's business.
    const isComment = trigger.kind === "comment" && !trigger.onPullRequest;
    if (isComment && (await whatCommentIs(delivery, deps.store)) === undefined) return undefined;
    const host = await deps.openCodeHost(delivery.repository);
    const read = await deps.readSettings(delivery.repository, host);
    if ("faults" in read) {
      if (isUrgent(delivery, deps.label)) return admit(delivery, host, deps);
      deps.log.info({ delivery: delivery.id, faults: read.faults }, "the repository's configuration has faults");
      await reportFaults(delivery, host, read.faults, deps);
      return undefined;
    }
    const { settings } = read;
    const isLabel = trigger.kind === "label" || trigger.kind === "unlabel";
    if (isLabel && !equalNames(trigger.label, settings.label)) return undefined;
    const { allowedBots, budget, label } = settings;
    return withSettings(await admit(delivery, host, { ...deps, allowedBots, budget, label }), settings);
  };
}

/** GitHub's own word that an issue or pull request is closed, locked or gone needs nobody's permission. */
async function endWhatWorks(
  { repository, issue, actor: by }: Delivery,
  because: StopReason,
  { unfinished }: Pick<AdmissionDependencies, "unfinished">,
): Promise<AdmissionDecision | undefined> {
  const runs = await unfinished(repository, issue);
  return runs.length === 0 ? undefined : { cancel: { repository, issue, by, because } };
}

/** What must work whatever the configuration says: ending a run, and asking how things stand. */
function isUrgent({ trigger }: Delivery, label: string): boolean {
  if (trigger.kind === "unlabel") return equalNames(trigger.label, label);
  return trigger.kind === "other-command" && ["cancel", "status", "help"].includes(trigger.command.verb);
}

/** The guards of a delivery, by what triggered it. */
async function admit(
  delivery: Delivery,
  host: CodeHost,
  deps: AdmissionDependencies,
): Promise<AdmissionDecision | undefined> {
  const { trigger } = delivery;
  if (trigger.kind === "review" || (trigger.kind === "comment" && trigger.onPullRequest)) {
    return admitFeedback(delivery, host, deps);
  }
  if (trigger.kind === "checks") return admitChecks(delivery, host, deps);
  if (trigger.kind !== "label" && trigger.kind !== "command") return takeCommand(delivery, host, deps);
  const admission = await admitDelivery(delivery, host, deps);
  if ("request" in admission) return { start: admission.request };
  deps.log.info({ delivery: delivery.id, reason: admission.refused }, "delivery refused");
  return undefined;
}
