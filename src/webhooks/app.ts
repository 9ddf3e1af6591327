import type { Logger } from "pino";
import type { ApplicationFunction } from "probot";
import { type Delivery, digestOf, type InstallationScope, type Receipt } from "../data/run-request.ts";
import type { EvolutionMemory } from "../run/evolution-memory.ts";
import { parseDelivery } from "./parse-delivery.ts";
import { describePayloadFault, removedRepositoriesPayload, uninstalledPayload, type Webhook } from "./payload.ts";

export interface AppParts {
  /** keeps the delivery; quick, because the webhook is answered afterwards */
  receive: (delivery: Delivery) => Promise<Receipt>;
  /** deletes memory; waits while the database is unavailable, and then the webhook is not answered as done */
  forget: EvolutionMemory["forget"];
  /** ends all work on what the app can no longer see */
  withdraw: (scope: InstallationScope) => Promise<void>;
  log: Logger;
}

/**
 * The Probot application: parses the webhooks, passes those that may start a run to `receive`, ends work on what the app
 * can no longer see, and forgets what was removed. Guards and work come later, elsewhere. What either throws reaches
 * Probot, so that GitHub knows to deliver again.
 */
export function createApp({ receive, forget, withdraw, log }: AppParts): ApplicationFunction {
  return (app) => {
    app.on([...WEBHOOK_EVENTS], async ({ id, name, payload }) => {
      const parsed = parseDelivery({ id, name, payload });
      if ("ignored" in parsed) {
        log.debug({ delivery: id, reason: parsed.ignored }, "webhook ignored");
        return;
      }
      const { repository, issue, trigger } = parsed.delivery;
      const outcome = await receive({ ...parsed.delivery, ...digestOf(payload) });
      const about = {
        delivery: id,
        repository: `${repository.owner}/${repository.name}`,
        issue,
        trigger: trigger.kind,
      };
      if (outcome === "ignored") log.debug(about, "webhook ignored: the bot never worked on this issue");
      else log.info(about, outcome === "known" ? "delivery was known already" : "delivery recorded");
    });
    app.on([...REMOVAL_EVENTS], async ({ id, name, payload }) => {
      const parsed = parseRemoval({ id, name, payload });
      if ("ignored" in parsed) {
        log.debug({ delivery: id, reason: parsed.ignored }, "webhook ignored");
        return;
      }
      for (const scope of parsed.gone) await withdraw(scope);
      if (!parsed.forever) return;
      let versions = 0;
      for (const scope of parsed.gone) versions += await forget(scope);
      log.info({ delivery: id, event: name, versions }, "memory of what was uninstalled deleted");
    });
  };
}

/** The webhook events that the app subscribes to; a test holds `app.yml` to them. */
export const WEBHOOK_EVENTS = [
  "issues.labeled",
  "issues.unlabeled",
  "issues.closed",
  "issues.locked",
  "issues.transferred",
  "issues.deleted",
  "pull_request.closed",
  "pull_request.locked",
  "issue_comment.created",
  "pull_request_review.submitted",
  "pull_request_review_comment.created",
  "check_run.completed",
  "check_suite.completed",
  "status",
  "push",
] as const;

/** Events that GitHub delivers to every app without a subscription, so they are not in `app.yml`. */
export const REMOVAL_EVENTS = [
  "installation.deleted",
  "installation.suspend",
  "installation_repositories.removed",
] as const;

/** `forever`: it is to be forgotten, too. */
export type ParsedRemoval = { gone: readonly InstallationScope[]; forever: boolean } | { ignored: string };

/** What the app can no longer see after a webhook: an installation, or repositories of one. Pure; never throws. */
export function parseRemoval({ name, payload }: Webhook): ParsedRemoval {
  if (name === "installation") {
    const { data, error } = uninstalledPayload.safeParse(payload);
    if (!data) return { ignored: describePayloadFault(error) };
    return { gone: [{ installationId: data.installation.id }], forever: data.action === "deleted" };
  }
  if (name === "installation_repositories") {
    const { data, error } = removedRepositoriesPayload.safeParse(payload);
    if (!data) return { ignored: describePayloadFault(error) };
    const installationId = data.installation.id;
    const gone = data.repositories_removed.map(({ id, full_name }) => {
      const [owner = "", repository = ""] = full_name.split("/");
      return { installationId, owner, name: repository, id };
    });
    return { gone, forever: true };
  }
  return { ignored: "The event removes nothing." };
}
