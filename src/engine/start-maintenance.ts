import { DBOS, DBOSWorkflowConflictError } from "@dbos-inc/dbos-sdk";
import type { RunRequest } from "../model/run-request.ts";
import type { Log } from "../ports/log.ts";
import { adoptOldVersions } from "./adopt-old-versions.ts";
import type { Suspension } from "./create-suspension.ts";
import { deleteOldRuns } from "./delete-old-runs.ts";
import type { EngineDatabase } from "./engine-database.ts";
import { heartbeat } from "./heartbeat.ts";
import { ownedWork } from "./owned-work.ts";
import { releaseNextRuns } from "./release-next-runs.ts";
import { type Repetition, repeatEvery } from "./repeat-every.ts";
import { reportAbandoned } from "./report-abandoned.ts";
import { takeOver } from "./take-over.ts";

export interface MaintenanceOptions {
  readonly database: EngineDatabase;
  readonly executor: string;
  readonly version: string;
  readonly concurrency: number;
  readonly heartbeatMs: number;
  readonly retentionDays: number;
  readonly suspension: Suspension;
  readonly abandon: (request: RunRequest, reason: string) => Promise<void>;
  readonly log: Log;
}

export interface Maintenance {
  /** The queue of runs has changed. */
  releaseNow(): void;
  stop(): Promise<void>;
}

const RELEASE_MS = 250;
const DAY_MS = 24 * 3_600_000;
/** Heartbeats that may be missed before a machine counts as dead. */
const MISSED_BEATS = 6;

/** Starts what the engine does beside the runs, again and again. */
export function startMaintenance(options: MaintenanceOptions): Maintenance {
  const { database, concurrency, heartbeatMs, log } = options;
  const { pool } = database;
  const reported = new Set<string>();
  const every = (ms: number, what: string, task: () => Promise<void>) =>
    repeatEvery(ms, task, (error) => log.warn({ error }, `${what} failed; it is tried again`));

  const release = every(RELEASE_MS, "starting the next runs", () => releaseNextRuns(pool, concurrency));
  const tasks: Repetition[] = [
    release,
    every(heartbeatMs, "the heartbeat", () => beat(options)),
    every(heartbeatMs * 2, "looking for work left behind", () => collectLeftWork(options)),
    every(heartbeatMs * 2, "looking for runs given up", () => reportAbandoned(options.abandon, reported, log)),
    every(DAY_MS, "deleting old runs", () => deleteOldRuns(pool, options.retentionDays)),
  ];
  return {
    releaseNow: () => release.now(),
    async stop() {
      await Promise.all(tasks.map((task) => task.stop()));
    },
  };
}

/** Says that we live, and drops the work that is ours no more: a machine that slept must not go on spending. */
async function beat({ database, executor, suspension, log }: MaintenanceOptions): Promise<void> {
  await heartbeat(database.pool, executor);
  // Noted before the question, so that work begun in between is not taken for lost.
  const here = [...suspension.active.values()];
  if (here.length === 0) return;
  const owned = await ownedWork(database.pool, executor);
  for (const run of here) {
    if (owned.has(run.id) || suspension.active.get(run.id) !== run) continue;
    log.warn({ run: run.id }, "the run was cancelled or taken over; it is dropped here");
    run.lose(new DBOSWorkflowConflictError(run.id));
  }
}

async function collectLeftWork({ database, executor, version, heartbeatMs, log }: MaintenanceOptions): Promise<void> {
  const deadAfterMs = heartbeatMs * MISSED_BEATS;
  for (const { id, executor: from } of await takeOver(database.pool, version, deadAfterMs, executor)) {
    log.warn({ run: id, from }, "taken over from a machine that is not heard of any more");
  }
  // A machine left behind by a rolling update must not pull work back to its own version.
  if ((await DBOS.getLatestApplicationVersion()).versionName !== version) return;
  for (const id of await adoptOldVersions(database.pool, version, deadAfterMs, executor)) {
    log.warn({ run: id, version }, "begun by an earlier version; it is started again on this one");
  }
}
