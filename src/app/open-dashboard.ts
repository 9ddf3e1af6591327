import { createServer } from "node:http";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Gate } from "../dashboard/gate.ts";
import type { Templates } from "../dashboard/templates.ts";
import { allowsSignIn, callbackOf, DASHBOARD_PATH, runPath } from "../data/dashboard-path.ts";
import { MagisError } from "../data/error.ts";
import type { AdmissionDecision, Delivery } from "../data/run-request.ts";
import { createVisibleFigures } from "../queue/database/visible-figures.ts";
import { createVisibleRuns } from "../queue/database/visible-runs.ts";
import type { Config } from "../settings/environment/config.ts";
import type { Listener } from "../webhooks/server/request-handler.ts";
import { listen } from "../webhooks/server/start-server.ts";

/** The dashboard of a running bot. */
export interface OpenDashboard {
  /** answers the requests below its path that come to the bot's own web server; absent when it has a server of its own */
  listener?: Listener;
  close(): Promise<void>;
}

interface DashboardOptions {
  pool: Pool;
  log: Logger;
}

type DashboardConfig = Config;

/**
 * Opens the dashboard that the configuration asks for; undefined when it is off. Throws CONFIGURATION_INVALID when its
 * port cannot be opened, or nobody could sign in.
 */
export async function openDashboard(
  config: DashboardConfig,
  options: DashboardOptions,
): Promise<OpenDashboard | undefined> {
  const { mode } = config.dashboard;
  if (mode === "off") return undefined;
  const { openTemplates } = await import("../dashboard/templates.ts");
  const templates = await openTemplates();
  return mode === "loopback" ? openOnLoopback(config, templates, options) : openForPeople(config, templates, options);
}

async function openOnLoopback(config: DashboardConfig, templates: Templates, options: DashboardOptions) {
  const { createLoopbackGate } = await import("../dashboard/loopback-gate.ts");
  const listener = await listenerOf(config, templates, createLoopbackGate(templates), options);
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => void listener(request, response));
  const port = await listen(server, "127.0.0.1", config.dashboard.port, "MAGIS_DASHBOARD_");
  options.log.info({ port }, `the dashboard is at http://localhost:${port}${DASHBOARD_PATH}`);
  return {
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function openForPeople(config: DashboardConfig, templates: Templates, options: DashboardOptions) {
  const { github, dashboard } = config;
  const { clientId = "", clientSecret = "", publicUrl = "", operators } = dashboard;
  const origin = safeOrigin(publicUrl);
  const { createSignIn } = await import("../github/sign-in.ts");
  const { createPeople } = await import("../dashboard/people.ts");
  const { createSignInGate } = await import("../dashboard/sign-in-gate.ts");
  const { log } = options;
  const signIn = createSignIn({ ...github, clientId, clientSecret, log });
  const people = createPeople(signIn, operators);
  const gate = createSignInGate({ templates, signIn, people, secret: clientSecret, origin, log });
  log.info({ callback: callbackOf(origin) }, `the dashboard is at ${origin}${DASHBOARD_PATH}, for people who sign in`);
  return {
    listener: await listenerOf(config, templates, gate, options),
    close: async () => undefined,
  };
}

async function listenerOf(
  { limits }: DashboardConfig,
  templates: Templates,
  gate: Gate,
  { pool, log }: DashboardOptions,
): Promise<Listener> {
  const { createDashboard } = await import("../dashboard/dashboard.ts");
  const { createListener } = await import("../dashboard/listener.ts");
  const answer = createDashboard({
    templates,
    limits,
    gate,
    view: (visible) => ({
      runs: createVisibleRuns(pool, visible, log),
      figures: createVisibleFigures(pool, visible, log),
    }),
  });
  return createListener(answer, log);
}

/** Makes the function that gives the address of a run's page; undefined on loopback, where it helps nobody else. */
export function createPageOf({ mode, publicUrl }: Config["dashboard"]): (run: string) => string | undefined {
  if (mode !== "github" || publicUrl === undefined) return () => undefined;
  return (run) => new URL(runPath(run), publicUrl).href;
}

/** Tells runs the address of their page, for all that is said of them on GitHub. */
export function withPages(
  admit: (delivery: Delivery) => Promise<AdmissionDecision | undefined>,
  pageOf: (run: string) => string | undefined,
): typeof admit {
  return async (delivery) => {
    const decision = await admit(delivery);
    if (decision === undefined || !("start" in decision)) return decision;
    const { start } = decision;
    return { ...decision, start: { ...start, page: pageOf(start.id) } };
  };
}

/** The origin of the public address. */
function safeOrigin(publicUrl: string): string {
  const url = new URL(publicUrl);
  if (allowsSignIn(url)) return url.origin;
  throw new MagisError(
    "CONFIGURATION_INVALID",
    "MAGIS_URL must begin with https:// where people sign in to the dashboard (MAGIS_DASHBOARD=github).",
  );
}
