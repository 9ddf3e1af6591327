import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { DBOS, type DLogger } from "@dbos-inc/dbos-sdk";
import { MagisError } from "../model/error.ts";
import type { Log } from "../ports/log.ts";
import { createReceiver, registerDeliveries } from "./deliveries.ts";
import { DELIVERIES_AT_ONCE, type Engine, type EngineDatabase, type EngineHandlers, QUEUES } from "./engine.ts";
import { type Maintenance, startMaintenance } from "./maintenance.ts";
import { installQueueStates, type QueueStates } from "./queue-clock.ts";
import { findUnfinished, registerRuns } from "./runs.ts";
import { giveBack, heartbeat, setLimit } from "./sql.ts";
import { createSuspension, type Suspension, within } from "./suspension.ts";

export interface EngineOptions {
  /** open before, closed after; by the caller */
  readonly database: EngineDatabase;
  readonly handlers: EngineHandlers;
  /** runs at once, over all machines on this database */
  readonly concurrency: number;
  /** raised when the order of steps changes: unfinished runs then start again from their first step */
  readonly version: string;
  readonly log: Log;
  /** milliseconds; a machine is taken for dead after six missed ones */
  readonly heartbeatMs?: number;
  /** milliseconds that a delivery waits for the one before it on the same issue */
  readonly patienceMs?: number;
  /** the installations whose runs are not to begin now; absent: none */
  readonly held?: () => readonly number[];
  /** milliseconds between two corrections of what is told of one run that waits for its turn */
  readonly turnMs?: number;
  /** days that ended runs are kept */
  readonly retentionDays: number;
}

const HEARTBEAT_MS = 5_000;

/** The host may be away for a while, and what people say keeps its order; what hangs does not hold up the rest for ever. */
const PATIENCE_MS = 300_000;

/** Nobody needs to know it to the second, and each is a write. */
const TURN_MS = 60_000;

const READY_WITHIN_MS = 2_000;

/**
 * Starts the engine, which goes on with unfinished runs by itself. DBOS holds its state in globals: one engine a process
 * at a time. Throws DATABASE_UNAVAILABLE when the engine's tables cannot be made or read.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { database, handlers, concurrency, version, log } = options;
  const heartbeatMs = options.heartbeatMs ?? HEARTBEAT_MS;
  if (DBOS.isInitialized()) throw new Error("one engine runs in this process already");
  // An embedded database has one process, whose next start recovers its own work by this name.
  const executor = database.kind === "embedded" ? "embedded" : `${hostname()}-${randomUUID().slice(0, 8)}`;
  const suspension = createSuspension();
  let maintenance: Maintenance | undefined;
  let queues: QueueStates | undefined;
  const onQueueChange = () => maintenance?.releaseNow();
  const lookInto = (queue?: string) => queues?.lookNow(queue);
  const context = { database, handlers, suspension, log, onQueueChange, lookInto };
  const { enqueue, abandon, reportLater } = registerRuns(context);
  const deliver = registerDeliveries(context, { enqueue, findUnfinished, reportLater });
  const receive = createReceiver(context, deliver);
  try {
    const logger = dbosLogger(log, () => suspension.stopping);
    queues = await launchDbos({ database, executor, version, concurrency, logger });
  } catch (error) {
    await DBOS.shutdown({ deregister: true });
    throw new MagisError("DATABASE_UNAVAILABLE", "The engine could not be started on its database.", {}, error);
  }
  const { retentionDays, patienceMs = PATIENCE_MS, turnMs = TURN_MS, held = () => [] } = options;
  maintenance = startMaintenance({
    database,
    executor,
    version,
    concurrency,
    heartbeatMs,
    retentionDays,
    patienceMs,
    held,
    turnMs,
    handlers,
    receive,
    suspension,
    lookInto,
    abandon,
    log,
  });
  let isGone: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    isGone = resolve;
  });
  const running = { database, executor, suspension, maintenance, log, isGone };
  let stopped: Promise<void> | undefined;
  const takesWrites = createWriteProbe(database, executor);

  return {
    async receive(delivery) {
      if (suspension.stopping)
        throw new MagisError("DATABASE_UNAVAILABLE", "MAGIS is stopping; please deliver it again.");
      return receive(delivery);
    },
    stop(graceMs) {
      stopped ??= stopEngine(running, graceMs);
      return stopped;
    },
    gone,
    async ready() {
      if (suspension.stopping || queues?.keepUp() !== true) return false;
      return within(READY_WITHIN_MS, takesWrites(), () => false);
    },
  };
}

/**
 * Makes what says whether the database keeps work. A write, and not a question: a full disk answers as well. Whoever asks
 * while one is under way hears of that one, so that a database which is stuck gathers no more of them.
 */
function createWriteProbe(database: EngineDatabase, executor: string): () => Promise<boolean> {
  let underWay: Promise<boolean> | undefined;
  return () => {
    underWay ??= heartbeat(database.pool, executor)
      .then(
        () => database.hasRoom(),
        () => false,
      )
      .finally(() => {
        underWay = undefined;
      });
    return underWay;
  };
}

export interface RunningEngine {
  readonly database: EngineDatabase;
  readonly executor: string;
  readonly suspension: Suspension;
  readonly maintenance: Maintenance;
  readonly log: Log;
  /** called when DBOS has let go of the process */
  isGone(): void;
}

/** Parts of the grace period for: work to come to rest, DBOS to let go, the database to hear of it. */
const SHARES = { work: 0.5, dbos: 0.3, database: 0.2 };

/**
 * Stops an engine within `graceMs`, whatever its work does: running steps are aborted and leave no record, and the runs
 * go back to the queue, where the next start or another machine takes them up.
 */
async function stopEngine(engine: RunningEngine, graceMs: number): Promise<void> {
  const { database, executor, suspension, maintenance, log, isGone } = engine;
  const runs = [...suspension.active.keys()];
  const late = (what: string) => () => log.warn({ runs }, `${what} did not end in time; stopping without it`);
  const share = (part: keyof typeof SHARES) => Math.max(1, graceMs * SHARES[part]);

  await within(share("work"), suspension.suspend(), late("running work"));
  const letGo = maintenance
    .stop()
    .then(() => DBOS.shutdown({ deregister: true }))
    .catch((error: unknown) => log.warn({ error }, "DBOS did not shut down"))
    .then(isGone);
  await within(share("dbos"), letGo, late("DBOS"));
  const given = giveBack(database.pool, executor).catch((error: unknown) =>
    log.warn({ error }, "suspended runs could not be given back; they are taken over later"),
  );
  await within(share("database"), given, late("the database"));
  if (runs.length > 0) log.info({ runs }, "suspended; the next start goes on with these");
}

interface LaunchOptions {
  readonly database: EngineDatabase;
  readonly executor: string;
  /** raised when the order of steps changes */
  readonly version: string;
  /** runs at once, over all machines */
  readonly concurrency: number;
  readonly logger: DLogger;
}

/** On a database of our own each look is asked for (`QueueStates.lookNow`), and this is for what was forgotten. */
const POLL_MS = { embedded: 2_000, postgres: 250 };

/** Never connected to: DBOS checks the form of a URL even when it is handed a pool. */
const PLACEHOLDER_URL = "postgresql://magis@in-use/pool";

/**
 * Launches DBOS on the database's pool, with its tables made while no other machine makes them, and sets its queues up. No
 * telemetry and no LISTEN (nothing here waits for notifications). Everything DBOS would take from the environment for a
 * program on its own machines is set here.
 */
async function launchDbos({ database, executor, version, concurrency, logger }: LaunchOptions): Promise<QueueStates> {
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
  const queue = { minPollingIntervalMs: POLL_MS[database.kind], onConflict: "always_update" } as const;
  await DBOS.registerQueue(QUEUES.runs, { ...queue, globalConcurrency: concurrency, partitionConcurrency: 1 });
  await DBOS.registerQueue(QUEUES.deliveries, { ...queue, workerConcurrency: DELIVERIES_AT_ONCE });
  await DBOS.registerQueue(QUEUES.ends, queue);
  states.lookNow();
  return states;
}

/** DBOS's own messages through our log: warnings and errors; what it says in passing is left out. */
function dbosLogger(log: Log, isStopping: () => boolean): DLogger {
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
