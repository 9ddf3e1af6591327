import type { IncomingMessage, ServerResponse } from "node:http";
import type { Answer } from "./answer.ts";
import { answerInTime } from "./answer-in-time.ts";
import type { ReceiveWebhook } from "./create-webhook-receiver.ts";
import { readBody } from "./read-body.ts";

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
