import type { Logger } from "pino";
import type { ApplicationFunction } from "probot";
import type { Delivery } from "./domain/run/delivery.ts";
import { WEBHOOK_EVENTS } from "./webhooks/events.ts";
import { parseDelivery } from "./webhooks/parse-delivery.ts";

export interface AppParts {
  /** keeps the delivery; quick, because the webhook is answered after it */
  readonly receive: (delivery: Delivery) => Promise<"recorded" | "known">;
  /** the label that starts the bot */
  readonly label: string;
  readonly log: Logger;
}

/**
 * The Probot application: parses the subscribed webhooks and hands those that may start a run to `receive`. Guards and
 * work come later and elsewhere. What `receive` throws reaches Probot, so that GitHub is told to deliver again.
 */
export function createApp({ receive, label, log }: AppParts): ApplicationFunction {
  return (app) => {
    app.on([...WEBHOOK_EVENTS], async ({ id, name, payload }) => {
      const parsed = parseDelivery({ id, name, payload }, { label });
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
  };
}
