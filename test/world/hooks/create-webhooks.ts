import { createHmac, randomUUID } from "node:crypto";
import { createAgent, httpExchange } from "../http-exchange.ts";
import type { Settings } from "../options.ts";
import type { Registration } from "../state.ts";

export interface Delivery {
  event: string;
  action: string | undefined;
  guid: string;
  /** The exact signed text. */
  body: string;
  /** The bot's status; 0 without a bot or an answer in ten seconds, undefined until then. */
  status: number | undefined;
  answer: string;
}

export interface Webhooks {
  secret: string;
  deliveries: Delivery[];
  deliver(event: string, payload: object, guid?: string): Promise<Delivery>;
  close(): Promise<void>;
}

/** GitHub's limit for an answer. */
const LIMIT_MS = 10_000;

/** Sends signed webhooks to the bot like GitHub: once, with a GUID that a redelivery keeps. */
export function createWebhooks(
  settings: Settings,
  registration: Registration,
  check: (event: string, payload: object) => object,
): Webhooks {
  const under = new Set<Promise<Delivery>>();
  const agent = createAgent();
  const deliveries: Delivery[] = [];
  const send = async (delivery: Delivery): Promise<Delivery> => {
    const url = addressFor(delivery.event, settings, registration);
    delivery.status = 0;
    if (url === undefined) return delivery;
    delivery.status = undefined;
    try {
      const answer = await httpExchange(url, {
        method: "POST",
        headers: headersOf(delivery, settings),
        body: delivery.body,
        limitMs: LIMIT_MS,
        agent,
      });
      delivery.answer = answer.text;
      delivery.status = answer.status;
    } catch (error) {
      delivery.answer = String(error);
      delivery.status = 0;
    }
    return delivery;
  };
  return {
    secret: settings.webhookSecret,
    deliveries,
    deliver(event, payload, guid = randomUUID()) {
      const whole = check(event, payload);
      const { action } = payload as { action?: string };
      const delivery: Delivery = { event, action, guid, body: JSON.stringify(whole), status: undefined, answer: "" };
      deliveries.push(delivery);
      const sent = send(delivery).finally(() => under.delete(sent));
      under.add(sent);
      return sent;
    },
    async close() {
      agent.destroy();
      await Promise.all(under);
    },
  };
}

/** The address for an event: an app registered by a manifest gets the events in it at the address in it. */
function addressFor(event: string, settings: Settings, { manifest }: Registration): string | undefined {
  if (manifest === undefined) return settings.webhookUrl();
  const isTold = event.startsWith("installation") || manifest.default_events.includes(event);
  return manifest.hook_attributes.active && isTold ? manifest.hook_attributes.url : undefined;
}

function headersOf(delivery: Delivery, { app, webhookSecret }: Settings): Record<string, string> {
  return {
    accept: "*/*",
    "content-type": "application/json",
    "user-agent": "GitHub-Hookshot/7a65dd9",
    "x-github-delivery": delivery.guid,
    "x-github-event": delivery.event,
    "x-github-hook-id": "1",
    "x-github-hook-installation-target-id": String(app.id),
    "x-github-hook-installation-target-type": "integration",
    "x-hub-signature-256": `sha256=${createHmac("sha256", webhookSecret).update(delivery.body).digest("hex")}`,
  };
}
