import { DBOS, DBOSWorkflowConflictError } from "@dbos-inc/dbos-sdk";
import type { Pool } from "pg";
import type { RunRequest } from "../data/run-request.ts";
import { attemptsOf } from "./attempts.ts";
import type { EngineContext } from "./context.ts";
import type { WorkKind } from "./engine.ts";
import { dropRun } from "./suspension.ts";
import { addReport, cancelRows, claimedBy, UNCLAIM, UNFINISHED } from "./work-queue.ts";

/** Missed heartbeats before a machine counts as dead. */
const MISSED_BEATS = 6;

/** How long claimed work may take to begin, in milliseconds. */
const BEGUN_WITHIN_MS = 30_000;

/** Restarts that work survives in the middle of its steps before it is given up. */
const MAX_TAKEOVERS = 20;

/** `$2`: milliseconds without a heartbeat after which a machine is dead. All times are the database's. */
const LIVES = "seen > now() - make_interval(secs => $2::float8 / 1000)";

/** Records that this machine lives, and the version of its order of steps. */
export async function heartbeat(pool: Pool, executor: string, version: string): Promise<void> {
  const sql = "INSERT INTO magis.executor (id, version) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET seen = now()";
  await pool.query(sql, [executor, Number(version)]);
}

/** Records that this machine lives, and drops work that is no longer ours: a machine that slept must stop spending. */
export async function beat({ database, executor, version, suspension, log }: EngineContext): Promise<void> {
  await heartbeat(database.pool, executor, version);
  // Taken before the query, so that work which begins meanwhile does not count as lost.
  const here = [...suspension.active.values()];
  if (here.length === 0) return;
  const ours = await claimedBy(database.pool, executor);
  for (const run of here) {
    if (ours.has(run.id) || suspension.active.get(run.id) !== run) continue;
    dropRun(run, new DBOSWorkflowConflictError(run.id), log);
  }
}

/** Whether this machine does what one does for all: it is the living one with the first name. */
export async function isFirstMachine({ database, executor, times }: EngineContext): Promise<boolean> {
  const sql = `SELECT FROM magis.executor WHERE id < $1 AND ${LIVES} LIMIT 1`;
  return (await database.pool.query(sql, [executor, times.heartbeatMs * MISSED_BEATS])).rowCount === 0;
}

/**
 * Puts work that nobody does back into the queue: that of dead machines, ours that a fault kept from beginning, and
 * what an older version left.
 */
export async function requeueLeftBehind(engine: EngineContext): Promise<void> {
  const { database, executor, version, suspension, times, log } = engine;
  const { pool } = database;
  const deadAfterMs = times.heartbeatMs * MISSED_BEATS;
  engine.isLatest = await isNewest(pool, version, deadAfterMs);
  for (const { id, kind, takeovers } of await takeOver(pool, executor, deadAfterMs)) {
    log.warn({ run: id }, "taken over from a machine that does not answer any more");
    if (takeovers > MAX_TAKEOVERS) await giveUp(engine, id, kind === "resolve");
  }
  await pool.query("DELETE FROM magis.executor WHERE id <> $1 AND seen < now() - interval '1 day'", [executor]);
  if (engine.isLatest) await requeueOldVersions(pool, version);
  await pool.query(UNCLAIM_IDLE, [executor, BEGUN_WITHIN_MS, [...suspension.active.keys()]]);
  engine.onQueueChange();
}

const UNCLAIM_IDLE = `
  UPDATE magis.work SET ${UNCLAIM}
   WHERE claimant = $1 AND state IN ('working', 'aside') AND at < now() - make_interval(secs => $2::float8 / 1000)
     AND id <> ALL($3)`;

/** Work taken from a machine; `takeovers`: how often that has happened to it. */
export interface TakenOver {
  id: string;
  kind: WorkKind;
  takeovers: number;
}

/**
 * Takes unfinished work from every machine that is dead: without a heartbeat for `deadAfterMs` milliseconds. Each piece
 * is given to one caller only.
 */
export async function takeOver(pool: Pool, executor: string, deadAfterMs: number): Promise<readonly TakenOver[]> {
  const sql = `UPDATE magis.work SET takeovers = takeovers + 1, ${UNCLAIM}
    WHERE state = ANY($3) AND claimant <> $1
      AND NOT EXISTS (SELECT FROM magis.executor WHERE id = claimant AND ${LIVES})
    RETURNING id, kind, takeovers`;
  return (await pool.query<TakenOver>(sql, [executor, deadAfterMs, UNFINISHED])).rows;
}

/**
 * Whether no living machine has a newer version. What once ran here does not count: after an upgrade that was taken
 * back, nobody else would take up the runs that the newer version began.
 */
async function isNewest(pool: Pool, version: string, deadAfterMs: number): Promise<boolean> {
  const sql = `SELECT FROM magis.executor WHERE version > $1 AND ${LIVES} LIMIT 1`;
  return (await pool.query(sql, [Number(version), deadAfterMs])).rowCount === 0;
}

/** A run that waited for its checks under an earlier version begins again from its first step, which needs a place. */
export async function requeueOldVersions(pool: Pool, version: string): Promise<void> {
  const sql = "UPDATE magis.work SET state = 'waiting' WHERE state = 'aside' AND claimant IS NULL AND version <> $1";
  await pool.query(sql, [version]);
}

const GIVEN_UP = "MAGIS was stopped in the middle of this run too often and gave it up.";

/** Ends work whose machines die in the middle of it. A run is reported, once. */
async function giveUp({ database, log }: EngineContext, id: string, isRun: boolean): Promise<void> {
  const { pool } = database;
  if (isRun) {
    const { rows } = await pool.query<{ input: RunRequest }>("SELECT input FROM magis.work WHERE id = $1", [id]);
    for (const { input } of rows) await addReport(pool, { request: input, abandoned: GIVEN_UP });
  }
  await DBOS.cancelWorkflows((await cancelRows(pool, [id])).flatMap(attemptsOf));
  log.error({ work: id }, "given up: its process died too often in the middle of it");
}

/** Puts all work of this machine back into the queue and signs the machine off. It does not count as a takeover. */
export async function giveBack(pool: Pool, executor: string): Promise<void> {
  const sql = `UPDATE magis.work SET ${UNCLAIM} WHERE claimant = $1 AND state = ANY($2)`;
  await pool.query(sql, [executor, UNFINISHED]);
  await pool.query("DELETE FROM magis.executor WHERE id = $1", [executor]);
}

/** An embedded database has one process: any machine recorded before is gone. */
export async function forgetMachines(pool: Pool): Promise<void> {
  await pool.query("DELETE FROM magis.executor");
}
