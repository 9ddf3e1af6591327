import type { Logger } from "pino";
import type { ApplicationFunction } from "probot";
import type { Delivery } from "../../model/delivery.ts";
import type { EvolutionMemory } from "../../ports/evolution-memory.ts";
import { REMOVAL_EVENTS, WEBHOOK_EVENTS } from "./events.ts";
import { parseDelivery } from "./parse-delivery.ts";
import { parseRemoval } from "./parse-removal.ts";

export interface AppParts {
  /** keeps the delivery; quick, because the webhook is answered after it */
  readonly receive: (delivery: Delivery) => Promise<"recorded" | "known">;
  /** deletes what is remembered; it waits while the database is away, and the webhook is then not answered as done */
  readonly forget: EvolutionMemory["forget"];
  readonly log: Logger;
}

/**
 * The Probot application: parses the webhooks and hands those that may start a run to `receive`, and what may no longer
 * be remembered to `forget`. Guards and work come later and elsewhere. What either throws reaches Probot, so that GitHub
 * is told to deliver again.
 */
export function createApp({ receive, forget, log }: AppParts): ApplicationFunction {
  return (app) => {
    app.on([...WEBHOOK_EVENTS], async ({ id, name, payload }) => {
      const parsed = parseDelivery({ id, name, payload });
      if ("ignored" in parsed) {
        log.debug({ delivery: id, reason: parsed.ignored }, "webhook ignored");
        return;
      }
      const { repository, issue, trigger } = parsed.delivery;
      const outcome = await receive(parsed.delivery);
      const about = {
        delivery: id,
        repository: `${repository.owner}/${repository.name}`,
        issue,
        trigger: trigger.kind,
      };
      log.info(about, outcome === "known" ? "delivery was known already" : "delivery recorded");
    });
    app.on([...REMOVAL_EVENTS], async ({ id, name, payload }) => {
      const parsed = parseRemoval({ id, name, payload });
      if ("ignored" in parsed) {
        log.debug({ delivery: id, reason: parsed.ignored }, "webhook ignored");
        return;
      }
      let versions = 0;
      for (const scope of parsed.forget) versions += await forget(scope);
      log.info({ delivery: id, event: name, versions }, "memory of what was uninstalled deleted");
    });
  };
}
