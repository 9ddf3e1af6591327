import type { IncomingHttpHeaders } from "node:http";
import type { Logger } from "pino";
import type { Probot } from "probot";
import type { Answer } from "./answer.ts";
import { answerInTime } from "./answer-in-time.ts";

export type ReceiveWebhook = (headers: IncomingHttpHeaders, body: Buffer) => Promise<Answer>;

type Webhooks = Probot["webhooks"];
type WebhookEvent = Parameters<Webhooks["receive"]>[0];

const NOT_KEPT =
  "The delivery could not be kept. Please redeliver it: GitHub App settings, Advanced, Recent Deliveries.\n";

/**
 * Verifies a webhook with Probot and lets Probot dispatch it. GitHub gives up after 10 s; after `limit` milliseconds
 * the answer is an honest 503, since Probot's own 202 would hide a delivery that was lost. Of a request that is refused
 * no content is logged. Throws nothing.
 */
export function createWebhookReceiver(webhooks: Webhooks, log: Logger, limit = 9_000): ReceiveWebhook {
  return async (headers, body) => {
    const id = text(headers["x-github-delivery"]);
    const name = text(headers["x-github-event"]);
    const about = { delivery: id.slice(0, 100), event: name.slice(0, 100), bytes: body.length };
    const started = performance.now();
    const read = await readWebhook(webhooks, headers, body);
    const answer = "refused" in read ? read.refused : await dispatch(webhooks, read.event, limit);
    const result = { ...about, status: answer.status, milliseconds: Math.round(performance.now() - started) };
    if (answer.status < 400)
      log.info(result, name === "ping" ? "webhook ping: the secret matches" : "webhook answered");
    else log.warn(result, answer.text.trim());
    return answer;
  };
}

async function readWebhook(
  webhooks: Webhooks,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<{ readonly event: WebhookEvent } | { readonly refused: Answer }> {
  if (!/^application\/json\s*(;|$)/i.test(text(headers["content-type"]).trim())) {
    return refuse(415, "Set the webhook's content type to application/json.");
  }
  const payload = body.toString("utf8");
  const signature = text(headers["x-hub-signature-256"]);
  if (!signature) return refuse(401, "The signature is missing: X-Hub-Signature-256.");
  if (!payload || !(await webhooks.verify(payload, signature))) {
    return refuse(401, "The signature does not match the webhook secret.");
  }
  const id = text(headers["x-github-delivery"]);
  const name = text(headers["x-github-event"]);
  if (!/^[\w.:-]{1,100}$/.test(id)) return refuse(400, "The header X-GitHub-Delivery is missing or malformed.");
  // "error" is a name of Octokit's own, for its error handlers.
  if (!/^[a-z]\w{0,99}$/.test(name) || name === "error") {
    return refuse(400, "The header X-GitHub-Event is missing or malformed.");
  }
  const json = parseObject(payload);
  if (!json) return refuse(400, "The body is not a JSON object.");
  return { event: { id, name, payload: json } as unknown as WebhookEvent };
}

async function dispatch(webhooks: Webhooks, event: WebhookEvent, limit: number): Promise<Answer> {
  // What the handler threw is logged by Probot's error handler, with our serializer.
  const work = webhooks.receive(event).then(
    (): Answer => ({ status: 200, text: "ok\n" }),
    (): Answer => ({ status: 500, text: NOT_KEPT }),
  );
  return await answerInTime(work, limit, () => ({ status: 503, text: NOT_KEPT }));
}

function refuse(status: number, sentence: string): { readonly refused: Answer } {
  return { refused: { status, text: `${sentence}\n` } };
}

function parseObject(payload: string): object | undefined {
  try {
    const value: unknown = JSON.parse(payload);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function text(header: string | string[] | undefined): string {
  return typeof header === "string" ? header : "";
}
