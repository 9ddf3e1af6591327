import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { MagisError } from "../model/magis-error.ts";
import type { Log } from "../ports/log.ts";
import { createSuspension } from "./create-suspension.ts";
import { dbosLogger } from "./dbos-logger.ts";
import type { Engine, EngineHandlers } from "./engine.ts";
import type { EngineDatabase } from "./engine-database.ts";
import { launchDbos } from "./launch-dbos.ts";
import { receiveDelivery } from "./receive-delivery.ts";
import { registerWorkflows } from "./register-workflows.ts";
import { type Maintenance, startMaintenance } from "./start-maintenance.ts";
import { stopEngine } from "./stop-engine.ts";
import { within } from "./within.ts";

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
  /** days that ended runs are kept */
  readonly retentionDays: number;
}

const HEARTBEAT_MS = 5_000;
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
  const onQueueChange = () => maintenance?.releaseNow();
  const { deliver, abandon } = registerWorkflows({ database, handlers, suspension, log, onQueueChange });
  try {
    const logger = dbosLogger(log, () => suspension.stopping);
    await launchDbos({ database, executor, version, concurrency, logger });
  } catch (error) {
    await DBOS.shutdown({ deregister: true });
    throw new MagisError("DATABASE_UNAVAILABLE", "The engine could not be started on its database.", {}, error);
  }
  const { retentionDays } = options;
  maintenance = startMaintenance({
    database,
    executor,
    version,
    concurrency,
    heartbeatMs,
    retentionDays,
    suspension,
    abandon,
    log,
  });
  const running = { database, executor, suspension, maintenance, log };
  let stopped: Promise<void> | undefined;

  return {
    async receive(delivery) {
      if (suspension.stopping)
        throw new MagisError("DATABASE_UNAVAILABLE", "MAGIS is stopping; please deliver it again.");
      return receiveDelivery(deliver, delivery);
    },
    stop(graceMs) {
      stopped ??= stopEngine(running, graceMs);
      return stopped;
    },
    async ready() {
      if (suspension.stopping) return false;
      const answer = database.pool.query("SELECT 1").then(
        () => true,
        () => false,
      );
      return within(READY_WITHIN_MS, answer, () => false);
    },
  };
}
