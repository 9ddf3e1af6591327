import { DBOS, type DLogger } from "@dbos-inc/dbos-sdk";
import type { Log } from "../ports/log.ts";
import { type EngineDatabase, QUEUES } from "./engine.ts";
import { installQueueStates, type QueueStates } from "./queue-clock.ts";
import { heartbeat, setLimit } from "./sql.ts";

export interface LaunchOptions {
  readonly database: EngineDatabase;
  readonly executor: string;
  /** raised when the order of steps changes */
  readonly version: string;
  /** runs at once, over all machines */
  readonly concurrency: number;
  readonly logger: DLogger;
}

/** Deliveries admitted at once by one process; each is a few requests to the host. */
const DELIVERIES_AT_ONCE = 8;

const POLL_MS = 250;

/** Never connected to: DBOS checks the form of a URL even when it is handed a pool. */
const PLACEHOLDER_URL = "postgresql://magis@in-use/pool";

/**
 * Launches DBOS on the database's pool, with its tables made while no other machine makes them, and sets its queues up. No
 * telemetry and no LISTEN (nothing here waits for notifications). Everything DBOS would take from the environment for a
 * program on its own machines is set here.
 */
export async function launchDbos({
  database,
  executor,
  version,
  concurrency,
  logger,
}: LaunchOptions): Promise<QueueStates> {
  const states = installQueueStates();
  DBOS.setConfig({
    name: "magis",
    systemDatabasePool: database.pool,
    systemDatabaseUrl: PLACEHOLDER_URL,
    applicationVersion: version,
    executorID: executor,
    useListenNotify: false,
    enableOTLP: false,
    tracingEnabled: false,
    logger,
  });
  await database.migrate(async () => {
    await heartbeat(database.pool, executor);
    await setLimit(database.pool, concurrency);
    await DBOS.launch();
  });
  // An embedded database has no other machine with a newer version; after a step back this one is the latest.
  if (database.kind === "embedded") await DBOS.setLatestApplicationVersion(version);
  const queue = { minPollingIntervalMs: POLL_MS, onConflict: "always_update" } as const;
  await DBOS.registerQueue(QUEUES.runs, { ...queue, globalConcurrency: concurrency, partitionConcurrency: 1 });
  await DBOS.registerQueue(QUEUES.deliveries, { ...queue, workerConcurrency: DELIVERIES_AT_ONCE });
  await DBOS.registerQueue(QUEUES.ends, queue);
  return states;
}

/** DBOS's own messages through our log: warnings and errors; what it says in passing is left out. */
export function dbosLogger(log: Log, isStopping: () => boolean): DLogger {
  const quiet = () => undefined;
  return {
    debug: quiet,
    info: quiet,
    warn(entry) {
      // While we stop, DBOS warns of the very work that we have suspended.
      if (!isStopping()) log.warn({ engine: "dbos" }, String(entry));
    },
    error(entry, metadata) {
      const error = metadata?.error;
      if (!isStopping()) log.error({ engine: "dbos", ...(error === undefined ? {} : { error }) }, String(entry));
    },
  };
}
