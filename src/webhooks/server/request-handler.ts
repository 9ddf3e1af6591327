import { createHash } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { finished } from "node:stream/promises";
import type { Logger } from "pino";
import type { Probot } from "probot";
import { DASHBOARD_PATH } from "../../data/dashboard-path.ts";
import type { Metrics } from "../../data/metrics.ts";
import { withDigest } from "../../data/run-request.ts";
import { createBodyReader, type ReadBody, STILL_MS } from "./read-body.ts";

/** The answer to an HTTP request: a status and a plain sentence, never an internal error's message. */
interface Answer {
  status: number;
  text: string;
  headers?: Readonly<Record<string, string>>;
}

/** Milliseconds. A database that hangs is not ready, and a probe does not wait long. */
const READY_LIMIT = 2_000;

export interface RequestHandlerParts {
  webhookPath: string;
  receiveWebhook: ReceiveWebhook;
  /** whether runs can start and be kept */
  ready: () => Promise<boolean>;
  /** true once the server is stopping */
  closing: () => boolean;
  log: Logger;
  metrics?: Metrics | undefined;
  /** answers what is asked for below its path */
  dashboard?: Listener | undefined;
}

export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const DASHBOARD = new RegExp(`^${DASHBOARD_PATH}(?:[/?]|$)`);

/** The only routes: the webhook, `/healthz` (the process answers), `/readyz` (it can work) and the dashboard's. */
export function createRequestHandler(parts: RequestHandlerParts) {
  const readBody = createBodyReader();
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (parts.dashboard && DASHBOARD.test(request.url ?? "")) return parts.dashboard(request, response);
    const answer = await route(request, parts, readBody);
    if (!answer || response.destroyed) return;
    response.writeHead(answer.status, {
      "content-type": "text/plain; charset=utf-8",
      "content-length": Buffer.byteLength(answer.text),
      "cache-control": "no-store",
      // biome-ignore lint/plugin: absent, not undefined: Node refuses a header without a value
      ...(parts.closing() && { connection: "close" }),
      ...answer.headers,
    });
    if (request.method !== "HEAD") response.write(answer.text);
    if (answer.status !== 408) await discardRest(request);
    response.end();
  };
}

/** Lets whoever still sends a body read the answer before the connection is closed. */
async function discardRest(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  request.setTimeout(STILL_MS);
  request.resume();
  await finished(request).catch(() => undefined);
}

type BodyReader = (request: IncomingMessage) => Promise<ReadBody>;

async function route(
  request: IncomingMessage,
  parts: RequestHandlerParts,
  readBody: BodyReader,
): Promise<Answer | undefined> {
  const path = pathOf(request.url ?? "/");
  if (path === pathOf(parts.webhookPath)) {
    const answer = await webhook(request, parts, readBody);
    if (answer) parts.metrics?.webhookAnswered(text(request.headers["x-github-event"]), answer.status);
    return answer;
  }
  request.resume();
  if (path !== "/healthz" && path !== "/readyz") return { status: 404, text: "There is nothing here.\n" };
  if (request.method !== "GET" && request.method !== "HEAD") return wrongMethod("GET, HEAD");
  if (path === "/healthz") return { status: 200, text: "ok\n" };
  const ready = !parts.closing() && (await answerInTime(parts.ready(), READY_LIMIT, () => false).catch(() => false));
  return ready ? { status: 200, text: "ready\n" } : { status: 503, text: "not ready\n" };
}

/** Checks the headers before it reads any of the body. */
async function webhook(
  request: IncomingMessage,
  parts: RequestHandlerParts,
  readBody: BodyReader,
): Promise<Answer | undefined> {
  if (request.method !== "POST") {
    request.resume();
    return wrongMethod("POST");
  }
  const refused = refusalOf(request.headers);
  if (refused) {
    parts.log.warn({ ...about(request.headers), status: refused.status }, refused.text.trim());
    return refused;
  }
  const read = await readBody(request);
  if (read.kind === "too-large") return { status: 413, text: "The body is larger than 25 MB.\n" };
  if (read.kind === "slow") return { status: 408, text: "The body did not arrive in time.\n", headers: CLOSE };
  if (read.kind === "busy") {
    const sentence = "Too many deliveries arrive at once. Please redeliver this one in a minute.";
    parts.log.warn({ ...about(request.headers), status: 503 }, sentence);
    return { status: 503, text: `${sentence}\n`, headers: { "retry-after": "60" } };
  }
  if (read.kind !== "body") return undefined;
  try {
    return await parts.receiveWebhook(request.headers, read.body);
  } finally {
    read.release();
  }
}

const CLOSE = { connection: "close" };

const SIGNATURE = /^sha256=[0-9a-f]{64}$/i;

/** The answer that refuses a delivery for its headers; undefined when they are right. */
function refusalOf(headers: IncomingHttpHeaders): Answer | undefined {
  const refuse = (status: number, sentence: string): Answer => ({ status, text: `${sentence}\n` });
  if (!/^application\/json\s*(;|$)/i.test(text(headers["content-type"]).trim())) {
    return refuse(415, "Set the webhook's content type to application/json.");
  }
  const signature = text(headers["x-hub-signature-256"]);
  if (!signature) return refuse(401, "The signature is missing: X-Hub-Signature-256.");
  if (!SIGNATURE.test(signature)) return refuse(401, "The signature does not match the webhook secret.");
  if (!/^[\w.:-]{1,100}$/.test(text(headers["x-github-delivery"]))) {
    return refuse(400, "The header X-GitHub-Delivery is missing or malformed.");
  }
  const name = text(headers["x-github-event"]);
  // "error" is Octokit's own name for error handlers.
  if (!/^[a-z]\w{0,99}$/.test(name) || name === "error") {
    return refuse(400, "The header X-GitHub-Event is missing or malformed.");
  }
  return undefined;
}

function wrongMethod(allow: string): Answer {
  return { status: 405, text: `Use ${allow}.\n`, headers: { allow } };
}

/** The path without query and trailing slashes. */
function pathOf(url: string): string {
  return url.replace(/[?#].*/s, "").replace(/(?<!\/)\/+$/, "") || "/";
}

export type ReceiveWebhook = (headers: IncomingHttpHeaders, body: Buffer) => Promise<Answer>;

type Webhooks = Probot["webhooks"];

type WebhookEvent = Parameters<Webhooks["receive"]>[0];

const NOT_KEPT =
  "The delivery could not be kept. Please redeliver it: GitHub App settings, Advanced, Recent Deliveries.\n";

/**
 * Verifies a webhook with Probot and lets Probot dispatch it. GitHub gives up after 10 s; after `limit` milliseconds we
 * answer an honest 503, because Probot's own 202 would hide a lost delivery. Logs no content of refused requests. Never
 * throws.
 */
export function createWebhookReceiver(webhooks: Webhooks, log: Logger, limit = 9_000): ReceiveWebhook {
  return async (headers, body) => {
    const name = text(headers["x-github-event"]);
    const started = performance.now();
    const read = await readWebhook(webhooks, headers, body);
    const answer = "refused" in read ? read.refused : await dispatch(webhooks, read.event, limit);
    const result = {
      ...about(headers),
      bytes: body.length,
      status: answer.status,
      milliseconds: Math.round(performance.now() - started),
    };
    if (answer.status < 400)
      log.info(result, name === "ping" ? "webhook ping: the secret matches" : "webhook answered");
    else log.warn(result, answer.text.trim());
    return answer;
  };
}

/** What the log may say about a request. */
function about(headers: IncomingHttpHeaders): { delivery: string; event: string } {
  const [delivery, event] = ["x-github-delivery", "x-github-event"].map((name) => text(headers[name]).slice(0, 100));
  return { delivery: delivery ?? "", event: event ?? "" };
}

async function readWebhook(
  webhooks: Webhooks,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<{ event: WebhookEvent } | { refused: Answer }> {
  const payload = body.toString("utf8");
  if (!payload || !(await webhooks.verify(payload, text(headers["x-hub-signature-256"])))) {
    return refuse(401, "The signature does not match the webhook secret.");
  }
  const id = text(headers["x-github-delivery"]);
  const name = text(headers["x-github-event"]);
  const json = parseObject(payload);
  if (!json) return refuse(400, "The body is not a JSON object.");
  // The digest of the text and not of the bytes, because the signature was checked for the text.
  const digest = createHash("sha256").update(payload).digest("hex");
  return { event: { id, name, payload: withDigest(json, digest) } as unknown as WebhookEvent };
}

async function dispatch(webhooks: Webhooks, event: WebhookEvent, limit: number): Promise<Answer> {
  // Probot's error handler logs what the handler threw, with our serializer.
  const work = webhooks.receive(event).then(
    (): Answer => ({ status: 200, text: "ok\n" }),
    (): Answer => ({ status: 500, text: NOT_KEPT }),
  );
  return await answerInTime(work, limit, () => ({ status: 503, text: NOT_KEPT }));
}

function refuse(status: number, sentence: string): { refused: Answer } {
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

/** Gives `work`'s result, or `late`'s when `work` takes longer than `limit` milliseconds. */
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
