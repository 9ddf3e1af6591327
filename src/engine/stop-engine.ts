import { DBOS } from "@dbos-inc/dbos-sdk";
import type { Log } from "../ports/log.ts";
import type { Suspension } from "./create-suspension.ts";
import type { EngineDatabase } from "./engine-database.ts";
import { giveBack } from "./give-back.ts";
import type { Maintenance } from "./start-maintenance.ts";
import { within } from "./within.ts";

export interface RunningEngine {
  readonly database: EngineDatabase;
  readonly executor: string;
  readonly suspension: Suspension;
  readonly maintenance: Maintenance;
  readonly log: Log;
}

/** Parts of the grace period for: work to come to rest, DBOS to let go, the database to hear of it. */
const SHARES = { work: 0.5, dbos: 0.3, database: 0.2 };

/**
 * Stops an engine within `graceMs`, whatever its work does: running steps are aborted and leave no record, and the runs
 * go back to the queue, where the next start or another machine takes them up.
 */
export async function stopEngine(engine: RunningEngine, graceMs: number): Promise<void> {
  const { database, executor, suspension, maintenance, log } = engine;
  const runs = [...suspension.active.keys()];
  const late = (what: string) => () => log.warn({ runs }, `${what} did not end in time; stopping without it`);
  const share = (part: keyof typeof SHARES) => Math.max(1, graceMs * SHARES[part]);

  await within(share("work"), suspension.suspend(), late("running work"));
  const letGo = maintenance.stop().then(() => DBOS.shutdown({ deregister: true }));
  await within(
    share("dbos"),
    letGo.catch((error: unknown) => log.warn({ error }, "DBOS did not shut down")),
    late("DBOS"),
  );
  const given = giveBack(database.pool, executor).catch((error: unknown) =>
    log.warn({ error }, "suspended runs could not be given back; they are taken over later"),
  );
  await within(share("database"), given, late("the database"));
  if (runs.length > 0) log.info({ runs }, "suspended; the next start goes on with these");
}
