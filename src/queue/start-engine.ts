import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { DBOS, type DLogger } from "@dbos-inc/dbos-sdk";
import { MagisError } from "../data/error.ts";
import type { Log } from "../data/log.ts";
import type { EngineContext } from "./context.ts";
import type { Database } from "./database.ts";
import { receive, registerDeliveries, withdraw } from "./deliveries.ts";
import type { Engine, EngineHandlers, EngineTimes } from "./engine.ts";
import { forgetMachines, giveBack, heartbeat } from "./machines.ts";
import { registerRuns } from "./runs.ts";
import { Suspension, within } from "./suspension.ts";
import { type RunningTasks, startTasks } from "./tasks.ts";

export interface EngineOptions {
  /** the caller opens it before and closes it after */
  database: Database;
  handlers: EngineHandlers;
  /** runs at once on this machine; with 0 others on the same database do them */
  concurrency: number;
  /** runs at once on all machines on this database; absent: as many as they take */
  concurrencyOfAll?: number | undefined;
  /** a whole number, raised when the order of steps changes: unfinished runs then start again from their first step */
  version: string;
  log: Log;
  /** days that ended runs are stored */
  retentionDays: number;
  times?: Partial<EngineTimes>;
}

/**
 * Patience: the host may be away for a while and what people say keeps its order, but work that hangs must not hold up
 * the rest for ever. Turns: nobody needs them to the second, and each is a write.
 */
const TIMES: EngineTimes = { heartbeatMs: 5_000, patienceMs: 300_000, waitMs: 2_000, turnMs: 60_000 };

const READY_WITHIN_MS = 2_000;

/**
 * Starts the engine, which goes on with unfinished runs by itself. DBOS keeps global state: one engine a process at a
 * time. Throws DATABASE_UNAVAILABLE when the engine's tables cannot be made or read.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  if (DBOS.isInitialized()) throw new Error("one engine runs in this process already");
  const suspension = new Suspension();
  let tasks: RunningTasks | undefined;
  const context: EngineContext = {
    ...options,
    executor: `${hostname()}-${randomUUID().slice(0, 8)}`,
    isLatest: false,
    times: { ...TIMES, ...options.times },
    suspension,
    earlier: new Map(),
    receiving: new Map(),
    onQueueChange: () => tasks?.claimNow(),
  };
  const workflows = { ...registerRuns(context), deliver: registerDeliveries(context) };
  try {
    await launchDbos(context);
  } catch (error) {
    await DBOS.shutdown({ deregister: true });
    throw new MagisError("DATABASE_UNAVAILABLE", "The engine could not be started on its database.", {}, error);
  }
  tasks = startTasks(context, workflows);
  let isGone: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    isGone = resolve;
  });
  const running = { context, tasks, isGone };
  let stopped: Promise<void> | undefined;
  const takesWrites = createWriteProbe(context);

  return {
    async receive(delivery) {
      if (suspension.stopping)
        throw new MagisError("DATABASE_UNAVAILABLE", "MAGIS is stopping; please deliver it again.");
      return receive(context, delivery);
    },
    withdraw: (scope) => withdraw(context, scope),
    stop(graceMs) {
      stopped ??= stopEngine(running, graceMs);
      return stopped;
    },
    gone,
    async ready() {
      if (suspension.stopping || !running.tasks.keepsUp()) return false;
      return within(READY_WITHIN_MS, takesWrites(), () => false);
    },
  };
}

/**
 * Makes the function that says whether the database takes work. It writes, since a full disk still answers reads. Calls
 * during a write share its answer, so that a stuck database does not collect more of them.
 */
function createWriteProbe({ database, executor, version }: EngineContext): () => Promise<boolean> {
  let underWay: Promise<boolean> | undefined;
  return () => {
    underWay ??= heartbeat(database.pool, executor, version)
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

interface RunningEngine {
  context: EngineContext;
  tasks: RunningTasks;
  /** called when DBOS has shut down in this process */
  isGone(): void;
}

/** Shares of the grace period: work comes to rest, DBOS shuts down, the database hears of it. */
const SHARES = { work: 0.5, dbos: 0.3, database: 0.2 };

/**
 * Stops an engine within `graceMs`, whatever its work does: aborts running steps, which record nothing, and puts their
 * runs back into the queue for the next start or another machine.
 */
async function stopEngine({ context, tasks, isGone }: RunningEngine, graceMs: number): Promise<void> {
  const { database, executor, suspension, log } = context;
  const runs = [...suspension.active.keys()];
  const late = (what: string) => () => log.warn({ runs }, `${what} did not end in time; stopping without it`);
  const share = (part: keyof typeof SHARES) => Math.max(1, graceMs * SHARES[part]);

  await within(share("work"), suspension.suspend(), late("running work"));
  const letGo = tasks
    .stop()
    .then(() => DBOS.shutdown({ deregister: true }))
    .catch((error: unknown) => log.warn({ error }, "DBOS did not shut down"))
    .then(isGone);
  await within(share("dbos"), letGo, late("DBOS"));
  const given = giveBack(database.pool, executor).catch((error: unknown) =>
    log.warn({ error }, "suspended runs could not be put back into the queue; they are taken over later"),
  );
  await within(share("database"), given, late("the database"));
  if (runs.length > 0) log.info({ runs }, "suspended; the next start goes on with these");
}

/** Never connected to: DBOS checks the form of a URL even when it gets a pool. */
const PLACEHOLDER_URL = "postgresql://magis@in-use/pool";

/**
 * Launches DBOS on the database's pool; no other machine makes tables meanwhile. No telemetry and no LISTEN, since
 * nothing here waits for notifications. Sets everything that DBOS would otherwise take from the environment.
 */
async function launchDbos({ database, executor, version, suspension, log }: EngineContext): Promise<void> {
  DBOS.setConfig({
    name: "magis",
    systemDatabasePool: database.pool,
    systemDatabaseUrl: PLACEHOLDER_URL,
    applicationVersion: version,
    executorID: executor,
    useListenNotify: false,
    enableOTLP: false,
    tracingEnabled: false,
    logger: dbosLogger(log, () => suspension.stopping),
  });
  await database.migrate(async () => {
    if (database.kind === "embedded") await forgetMachines(database.pool);
    await heartbeat(database.pool, executor, version);
    await DBOS.launch();
  });
}

/** How DBOS's warning ends about work that was cancelled, or that another machine has taken over. */
const CALLED_OFF = /Waiting for the (?:owner's )?recorded outcome$/;

/** Puts DBOS's warnings and errors into our log. */
function dbosLogger(log: Log, isStopping: () => boolean): DLogger {
  const quiet = () => undefined;
  return {
    debug: quiet,
    info: quiet,
    warn(entry) {
      // While we stop, DBOS warns of the work that we have suspended.
      if (isStopping()) return;
      const level = CALLED_OFF.test(String(entry)) ? "info" : "warn";
      log[level]({ engine: "dbos" }, String(entry));
    },
    error(entry, metadata) {
      const error = metadata?.error;
      if (!isStopping()) log.error({ engine: "dbos", error }, String(entry));
    },
  };
}
