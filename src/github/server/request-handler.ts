import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Probot } from "probot";

/** GitHub caps a payload at 25 MB. */
const BODY_LIMIT = 25 * 1024 * 1024;

/** Milliseconds; a database that hangs is not ready, and a prober does not wait long. */
const READY_LIMIT = 2_000;

export interface RequestHandlerParts {
  readonly webhookPath: string;
  readonly receiveWebhook: ReceiveWebhook;
  /** whether runs can be started and kept */
  readonly ready: () => Promise<boolean>;
  /** true once the server is being stopped */
  readonly closing: () => boolean;
}

/** The routes: the webhook, `/healthz` (the process answers) and `/readyz` (it can work). Nothing else is there. */
export function createRequestHandler(parts: RequestHandlerParts) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await route(request, parts);
    if (!answer || response.destroyed) return;
    response.writeHead(answer.status, {
      "content-type": "text/plain; charset=utf-8",
      "content-length": Buffer.byteLength(answer.text),
      "cache-control": "no-store",
      ...(parts.closing() && { connection: "close" }),
      ...answer.headers,
    });
    response.end(request.method === "HEAD" ? undefined : answer.text);
  };
}

async function route(request: IncomingMessage, parts: RequestHandlerParts): Promise<Answer | undefined> {
  const path = pathOf(request.url ?? "/");
  if (path === pathOf(parts.webhookPath)) return await webhook(request, parts);
  request.resume();
  if (path !== "/healthz" && path !== "/readyz") return { status: 404, text: "There is nothing here.\n" };
  if (request.method !== "GET" && request.method !== "HEAD") return wrongMethod("GET, HEAD");
  if (path === "/healthz") return { status: 200, text: "ok\n" };
  const ready = !parts.closing() && (await answerInTime(parts.ready(), READY_LIMIT, () => false).catch(() => false));
  return ready ? { status: 200, text: "ready\n" } : { status: 503, text: "not ready\n" };
}

async function webhook(request: IncomingMessage, parts: RequestHandlerParts): Promise<Answer | undefined> {
  if (request.method !== "POST") {
    request.resume();
    return wrongMethod("POST");
  }
  const body = await readBody(request, BODY_LIMIT);
  if (body === "aborted") return undefined;
  if (body === "too-large") return { status: 413, text: "The body is larger than 25 MB.\n" };
  return await parts.receiveWebhook(request.headers, body);
}

function wrongMethod(allow: string): Answer {
  return { status: 405, text: `Use ${allow}.\n`, headers: { allow } };
}

/** Without the query and without slashes at the end. */
function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, "").replace(/\/+$/, "") || "/";
}

/**
 * The body of a request, or "too-large" above `limit` bytes, or "aborted" when the client went away. What is too large
 * is read to its end and thrown away, so that the client gets to read the answer; the server's request timeout ends it.
 */
async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | "too-large" | "aborted"> {
  let size = 0;
  let parts: Buffer[] = [];
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      size += part.length;
      if (size <= limit) parts.push(part);
      else parts = [];
    }
  } catch {
    return "aborted";
  }
  return size <= limit ? Buffer.concat(parts) : "too-large";
}

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

/** What an HTTP request is answered: a status and a plain sentence, never the message of an internal error. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What `work` gives, or what `late` gives when `work` takes longer than `limit` milliseconds. */
async function answerInTime<T>(work: Promise<T>, limit: number, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late()), limit);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
