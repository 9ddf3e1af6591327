import { createServer } from "node:http";
import type { Logger } from "pino";
import { createRequestHandler } from "./create-request-handler.ts";
import { createWebhookReceiver } from "./create-webhook-receiver.ts";
import { listen } from "./listen.ts";
import { openProbot, type ProbotParts } from "./open-probot.ts";
import { serializeError } from "./serialize-error.ts";

export interface ServerParts extends ProbotParts {
  readonly server: { readonly host: string; readonly port: number; readonly webhookPath: string };
  /** whether runs can be started and kept; asked by `/readyz` */
  readonly ready: () => Promise<boolean>;
  readonly log: Logger;
  /** milliseconds after which a webhook is answered 503; below GitHub's 10 s */
  readonly webhookLimit?: number;
}

export interface RunningServer {
  readonly port: number;
  /** Takes no new connections, answers what has arrived, and cuts off what is left after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/**
 * Starts the HTTP server with the Probot application behind it.
 * Throws CONFIGURATION_INVALID when the port cannot be opened.
 */
export async function startServer(parts: ServerParts): Promise<RunningServer> {
  const { log, ready, server: address } = parts;
  const probot = await openProbot(parts);
  let closing = false;
  const handle = createRequestHandler({
    webhookPath: address.webhookPath,
    receiveWebhook: createWebhookReceiver(probot.webhooks, log, parts.webhookLimit),
    ready,
    closing: () => closing,
  });
  // A request that trickles in is cut off by node after these times, which the interval makes it notice.
  const limits = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 };
  const server = createServer(limits, (request, response) => {
    handle(request, response).catch((error: unknown) => {
      log.error({ err: serializeError(error) }, "a request failed");
      response.destroy();
    });
  });
  const port = await listen(server, address.host, address.port);
  log.info({ host: address.host, port, webhookPath: address.webhookPath }, `listening on port ${port}`);
  const close = async (graceMs: number): Promise<void> => {
    closing = true;
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    clearTimeout(cut);
  };
  return { port, close };
}
