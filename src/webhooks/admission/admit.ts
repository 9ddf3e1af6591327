import { callOf, judgeChecks } from "../../data/checks.ts";
import { definitionOf } from "../../data/command.ts";
import { isMagisError } from "../../data/error.ts";
import { issueOfPull, markers } from "../../data/marks.ts";
import { type AdmissionDecision, beginOnPull, type Delivery } from "../../data/run-request.ts";
import type { StopReason } from "../../data/run-state.ts";
import type { CodeHost, HostPullRequest } from "../../github/code-host.ts";
import { awaitsGreen } from "../../report/proof.ts";
import type { RunStore } from "../../run/runs.ts";
import { admitDelivery } from "./admit-request.ts";
import { admitPush, admitUpdate } from "./admit-update.ts";
import { whatCommentIs, withheldRun } from "./commands.ts";
import type { AdmissionDependencies, RunQueue } from "./dependencies.ts";
import { acknowledge, askGuards, equalNames, readFresh, WHO } from "./guards.ts";
import { withNotes } from "./notes.ts";
import { recordDecision, recordRefusal } from "./record-decision.ts";
import { reportFaults, withSettings } from "./settings.ts";
import { takeCommand } from "./take-command.ts";

/**
 * Creates the function that decides about deliveries: it reads the repository's settings, then asks the trigger's
 * guards. Returns the decision, or nothing. Running it again after a crash answers nothing twice on GitHub. Throws what
 * the host and the store throw.
 */
export function createAdmission(
  deps: AdmissionDependencies,
): (delivery: Delivery) => Promise<AdmissionDecision | undefined> {
  return async (delivery) => {
    const decision = await decide(delivery, deps);
    if (decision !== undefined) recordDecision(deps, delivery, decision);
    return decision;
  };
}

/**
 * Creates the function that says whether a delivery may lead to anything, by what is stored: most comments on issues
 * are on ones that the bot never worked on. Throws what the store throws.
 */
export function createConcern(store: RunStore) {
  return async ({ trigger, repository, issue }: Delivery): Promise<boolean> => {
    if (trigger.kind !== "comment" || trigger.on !== "issue") return true;
    return (await store.latestRun(repository, issue)) !== undefined;
  };
}

async function decide(delivery: Delivery, deps: AdmissionDependencies): Promise<AdmissionDecision | undefined> {
  const { trigger } = delivery;
  // The ledger has noted it.
  if (trigger.kind === "reverted" || trigger.kind === "decided") return undefined;
  if (trigger.kind === "gone") return endWhatWorks(delivery, trigger.why, deps);
  const isComment = trigger.kind === "comment" && trigger.on === "issue";
  if (isComment && (await whatCommentIs(delivery, deps.store)) === undefined) return undefined;
  const host = await deps.openCodeHost(delivery.repository);
  if (trigger.kind === "push") return admitPush(delivery, host);
  // Most ended checks start nothing, and no setting decides that: the settings are read for those that do.
  const forChecks = trigger.kind === "checks" ? await admitChecks(delivery, host, deps.queue) : undefined;
  if (trigger.kind === "checks" && !(forChecks && "start" in forChecks)) return forChecks;
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
  const { allowedBots, budget, label, skipLabels, proof } = settings;
  const rules = { ...deps, allowedBots, budget, label, skipLabels, proof };
  const isUpdate = trigger.kind === "base";
  const chosen = () => (isUpdate ? admitUpdate(delivery, host, settings.update) : admit(delivery, host, rules));
  const decision = forChecks ?? (await chosen());
  const starts = decision !== undefined && "start" in decision;
  const notes = starts ? await deps.notes?.list(delivery.repository) : [];
  return withSettings(decision, withNotes(settings, notes ?? []));
}

/**
 * When GitHub says that an issue or pull request is closed, locked or gone, nobody's permission is needed. This asks
 * GitHub nothing, so that work ends during an outage, too; unless GitHub has said it before, and may have repeated it.
 */
async function endWhatWorks(
  delivery: Delivery,
  because: StopReason,
  { queue, openCodeHost }: AdmissionDependencies,
): Promise<AdmissionDecision | undefined> {
  const { repository, issue, actor: by, again } = delivery;
  const runs = await queue.unfinished(repository, issue);
  if (runs.length === 0) return undefined;
  const now = again ? await readFresh(await openCodeHost(repository), issue) : undefined;
  return now?.open && !now.locked ? undefined : { cancel: { repository, issue, by, because } };
}

/** These work whatever the configuration says: ending a run, and asking for its status. */
function isUrgent({ trigger }: Delivery, label: string): boolean {
  if (trigger.kind === "unlabel") return equalNames(trigger.label, label);
  const definition = trigger.kind === "other-command" ? definitionOf(trigger.command) : undefined;
  return definition !== undefined && definition.effect !== "starts work";
}

/** The guards of a delivery, by what triggered it. */
async function admit(
  delivery: Delivery,
  host: CodeHost,
  deps: AdmissionDependencies,
): Promise<AdmissionDecision | undefined> {
  const { trigger } = delivery;
  if (trigger.kind === "review" || (trigger.kind === "comment" && trigger.on === "pull request")) {
    return admitFeedback(delivery, host, deps);
  }
  const asksToResolve = trigger.kind === "label" || trigger.kind === "command";
  if (!asksToResolve) return takeCommand(delivery, host, deps);
  const admission = await admitDelivery(delivery, host, deps, await withheldRun(delivery, deps));
  if ("request" in admission) return { start: admission.request };
  recordRefusal(deps, delivery, admission.refused);
  return undefined;
}

/**
 * Reviews of the bot's pull request and comments on it start a `revise` run when the pull request is the app's own and
 * open and the person may write. Nobody else gets an answer. Running it again after a crash changes nothing.
 */
export async function admitFeedback(
  delivery: Delivery,
  host: CodeHost,
  deps: Pick<AdmissionDependencies, "allowedBots" | "log" | "audit">,
): Promise<AdmissionDecision | undefined> {
  const { issue, trigger } = delivery;
  const refusal = await askGuards(WHO, delivery, host, deps);
  if (refusal) {
    recordRefusal(deps, delivery, refusal.reason);
    return undefined;
  }
  const pull = await readPullRequest(host, issue);
  if (!pull?.open || !pull.byApp) {
    recordRefusal(deps, delivery, "The feedback is not on an open pull request of the app.");
    return undefined;
  }
  if (trigger.kind === "comment") await acknowledge(delivery, host, "eyes");
  return { start: beginOnPull(delivery, { kind: "revise", because: "feedback" }, pull) };
}

async function readPullRequest(host: CodeHost, number: number): Promise<HostPullRequest | undefined> {
  try {
    return await host.readPullRequest(number);
  } catch (error) {
    if (isMagisError(error, "HOST_NOT_FOUND")) return undefined;
    throw error;
  }
}

/**
 * Ended checks of the bot's pull request start a run when all checks of its head have ended and there may be something
 * to do: one failed or may not start, or green ones make a draft ready or a text outdated. This costs one to four
 * requests; the run finds out what needs doing. It does not matter who ended the checks, only what they say.
 */
export async function admitChecks(
  delivery: Delivery,
  host: CodeHost,
  queue: RunQueue,
): Promise<AdmissionDecision | undefined> {
  const { trigger } = delivery;
  if (trigger.kind !== "checks") return undefined;
  const { head, branch } = trigger;
  const pulls = await host.findOwnPullRequests(branch, "open");
  const pull = pulls.find((one) => one.branch === branch && one.head === head);
  if (!pull) return undefined;
  const checks = await host.checksOf(head);
  if (pull.body.includes(markers.proving)) {
    // While a proof waits for its test to fail, the failure is not repaired.
    const issue = issueOfPull(pull) ?? pull.number;
    const waiting = await queue.unfinished(delivery.repository, issue);
    if (waiting.length > 0)
      return judgeChecks(checks) === "pending" ? undefined : { wake: { repository: delivery.repository, issue } };
  }
  if (callOf(checks, { awaitsGreen: awaitsGreen(pull) }) === undefined) return undefined;
  return { start: beginOnPull(delivery, { kind: "repair", head }, pull) };
}
