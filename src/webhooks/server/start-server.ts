import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { type ApplicationFunction, Probot } from "probot";
import { MagisError } from "../../data/error.ts";
import type { Metrics } from "../../data/metrics.ts";
import { createRequestHandler, createWebhookReceiver, type Listener } from "./request-handler.ts";

export interface ServerParts extends ProbotParts {
  server: { host: string; port: number; webhookPath: string };
  /** whether runs can start and be kept; for `/readyz` */
  ready: () => Promise<boolean>;
  log: Logger;
  metrics?: Metrics;
  dashboard?: Listener | undefined;
  /** milliseconds after which a webhook gets a 503; below GitHub's 10 s */
  webhookLimit?: number;
  /** milliseconds in which a whole request has to arrive; 10 s by default */
  requestLimit?: number;
}

export interface RunningServer {
  port: number;
  /** Refuses new connections, answers requests that have arrived, and cuts off the rest after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/**
 * How long an idle connection stays open: longer than proxies keep theirs, mostly 60 s. If we closed it first, a webhook
 * sent on it at that moment would be lost.
 */
const KEPT_MS = 75_000;

/**
 * Starts the HTTP server with the Probot application behind it.
 * Throws CONFIGURATION_INVALID when the port cannot be opened.
 */
export async function startServer(parts: ServerParts): Promise<RunningServer> {
  const { log, ready, server: address, metrics, dashboard } = parts;
  const probot = await openProbot(parts);
  let closing = false;
  const handle = createRequestHandler({
    webhookPath: address.webhookPath,
    receiveWebhook: createWebhookReceiver(probot.webhooks, log, parts.webhookLimit),
    ready,
    closing: () => closing,
    log,
    metrics,
    dashboard,
  });
  const limits = {
    keepAliveTimeout: KEPT_MS,
    // Node cuts off a trickling request after these times, and checks at this interval.
    headersTimeout: 5_000,
    requestTimeout: parts.requestLimit ?? 10_000,
    connectionsCheckingInterval: 1_000,
  };
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

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "is in use: stop the program that has it, or set PORT to another",
  EACCES: "may not be opened by this user: set PORT to one above 1023",
  EADDRNOTAVAIL: "cannot be opened at the address of HOST: set HOST to an address of this machine",
  ENOTFOUND: "cannot be opened at the address of HOST: set HOST to an address of this machine",
};

/**
 * Listens and gives the port, a free one for 0. Throws CONFIGURATION_INVALID when that fails.
 * @param prefix of the variables that hold host and port
 */
export async function listen(server: Server, host: string, port: number, prefix = ""): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host, port }, () => {
        server.off("error", reject);
        resolve();
      });
    });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    const why = REASONS[code] ?? "cannot be opened: check HOST and PORT";
    const reason = why.replaceAll(/\b(HOST|PORT)\b/g, `${prefix}$1`);
    throw new MagisError("CONFIGURATION_INVALID", `Port ${port} ${reason}.`, { code, host, port }, error);
  }
  return (server.address() as AddressInfo).port;
}

export interface ProbotParts {
  app: ApplicationFunction;
  github: {
    appId: number;
    /** PEM */
    privateKey: string;
    webhookSecret: string;
    /** root of the REST API */
    apiUrl: string;
  };
  log: Logger;
}

/**
 * Probot with the application loaded. Sets all options, so that Probot takes none from the environment: it would use
 * the secret "development" and, without an app id, offer its set-up pages. Makes no request.
 */
async function openProbot({ app, github, log }: ProbotParts): Promise<Probot> {
  const probot = new Probot({
    appId: github.appId,
    privateKey: github.privateKey,
    secret: github.webhookSecret,
    baseUrl: github.apiUrl,
    log: log.child({}, { serializers: { err: serializeError } }),
  });
  await probot.ready();
  await probot.load(app);
  return probot;
}

/**
 * An error for the log. Probot and Octokit attach the whole webhook, request or response to their errors, with the
 * repository's content and tokens, so only the fields named here are logged, and causes three levels deep.
 */
export function serializeError(error: unknown, depth = 3): unknown {
  if (!isErrorLike(error)) return String(error);
  const { name, message, stack, code, status, cause, errors } = error;
  return {
    type: name,
    message,
    stack,
    code: isPlain(code) ? code : undefined,
    status: isPlain(status) ? status : undefined,
    cause: cause !== undefined && depth > 1 ? serializeError(cause, depth - 1) : undefined,
    errors: Array.isArray(errors) && depth > 1 ? errors.map((inner) => serializeError(inner, depth - 1)) : undefined,
  };
}

interface ErrorLike {
  name: string;
  message: string;
  stack?: string;
  code?: unknown;
  status?: unknown;
  cause?: unknown;
  errors?: unknown;
}

/** Checks the shape, not the class, because errors may come from another realm (a worker, a test's sandbox). */
function isErrorLike(value: unknown): value is ErrorLike {
  return typeof value === "object" && value !== null && "message" in value && typeof value.message === "string";
}

function isPlain(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}

/**
 * Forwards webhooks from a channel of smee.io, or a similar service, to `target`, for trying the bot on a machine that
 * the host cannot reach. They are signed as usual. The channel keeps nothing, so webhooks sent while nobody listens are
 * lost. Resolves when the channel is open; a broken connection reopens by itself.
 */
export async function takeFromChannel(
  source: string,
  target: string,
  log: Pick<Logger, "debug" | "warn">,
): Promise<{ stop(): Promise<void> }> {
  const logger = {
    info: (message: unknown) => log.debug({ message: String(message) }, "from the webhooks' channel"),
    error: (message: unknown) => log.warn({ message: String(message) }, "the webhooks' channel failed"),
  };
  // Loaded only here: it is a fifteenth of all the code that a start loads, and few use it.
  const { SmeeClient } = await import("smee-client");
  const client = new SmeeClient({ source, target, logger });
  await client.start();
  log.warn({ source }, "taking webhooks from a channel: for trials only, since its service sees them");
  return { stop: async () => void (await client.stop()) };
}
