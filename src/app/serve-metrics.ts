import { createServer } from "node:http";
import type { Pool } from "pg";
import type { Log } from "../data/log.ts";
import type { Metrics } from "../data/metrics.ts";
import { findLimitsInUse } from "../queue/database/limits-in-use.ts";
import { countRuns } from "../queue/work-queue.ts";
import { REMOVAL_EVENTS, WEBHOOK_EVENTS } from "../webhooks/app.ts";
import { listen } from "../webhooks/server/start-server.ts";

interface MetricsConfig {
  host: string;
  /** absent: no metrics are kept */
  port?: number | undefined;
}

interface MetricsParts {
  /** by model, those with a price */
  models: Readonly<Record<string, unknown>>;
  /** where runs and limits are */
  pool: Pool;
  log: Log;
}

/** Metrics with a server for them. */
export interface ServedMetrics {
  metrics: Metrics;
  close(): Promise<void>;
}

const EVENTS = [
  ...new Set([...WEBHOOK_EVENTS, ...REMOVAL_EVENTS, "ping"].map((event) => event.split(".")[0] ?? event)),
];

/** Serves `/metrics` for Prometheus, or gives undefined. Throws CONFIGURATION_INVALID when the port cannot be opened. */
export async function serveMetrics(
  { host, port }: MetricsConfig,
  { models, pool, log }: MetricsParts,
): Promise<ServedMetrics | undefined> {
  if (port === undefined) return undefined;
  const { createPrometheus } = await import("./prometheus.ts");
  const known = { models: Object.keys(models), events: EVENTS };
  const metrics = createPrometheus({
    ...known,
    countRuns: () => countRuns(pool),
    limitsInUse: () => findLimitsInUse(pool, "all", log),
  });
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    request.resume();
    if (request.url !== "/metrics" || request.method !== "GET") {
      response.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end("There is nothing here.\n");
      return;
    }
    metrics.scrape().then(
      (text) => response.writeHead(200, { "content-type": metrics.contentType }).end(text),
      (error: unknown) => {
        log.warn({ error }, "the metrics could not be read");
        response.writeHead(503).end();
      },
    );
  });
  const opened = await listen(server, host, port, "MAGIS_METRICS_");
  log.info({ host, port: opened }, "metrics are at /metrics");
  return {
    metrics,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
