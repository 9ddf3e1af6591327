import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import { type HeldRow, heldBack } from "../data/limits.ts";
import type { RunRequest } from "../data/run-request.ts";
import type { Queued } from "../data/run-state.ts";
import type { EngineContext } from "./context.ts";
import { patientQuery } from "./work-queue.ts";

const PLACE = `
  SELECT own.held_by, own.held_since, own.held_until,
         (SELECT count(*) FROM magis.work w
           WHERE w.kind = 'resolve' AND w.state IN ('waiting', 'working') AND w.queue = own.queue
             AND w.arrival < own.arrival)::int AS ahead
    FROM magis.work own WHERE own.id = $1`;

/** The runs of the same repository that work or wait before this one, and what holds it and them back. */
export async function placeOf(pool: Pool, run: string): Promise<Queued> {
  const { rows } = await pool.query<HeldRow & { ahead: number }>(PLACE, [run]);
  return rows[0] ? { ahead: rows[0].ahead, held: heldBack(rows[0]) } : { ahead: 0 };
}

/** What was last said of each waiting run (`undefined`: it could not be), and when by a steady clock. */
export type SaidOfRuns = Map<string, { place: string | undefined; at: number }>;

/**
 * Runs that have not begun, and of which no machine is writing that they wait. Only runs on an issue have a subject, and
 * a comment of their own.
 */
const WAITING = `
  SELECT id, ahead, held_by, held_since, held_until FROM (
    SELECT id, state, at, attempt, subject, claimant, held_by, held_since, held_until,
           (row_number() OVER (PARTITION BY queue ORDER BY arrival))::int - 1 AS ahead
      FROM magis.work WHERE kind = 'resolve' AND state IN ('waiting', 'working')) turns
   WHERE state = 'waiting' AND attempt = 0 AND subject IS NOT NULL AND claimant IS NULL
     AND at <= now() - make_interval(secs => $1::float8 / 1000)
   ORDER BY at`;

interface WaitingRow extends HeldRow {
  id: string;
  ahead: number;
}

/** A place as far as people see it. */
const shown = ({ ahead, held }: Queued) => (held ? `${held.by} ${held.until}` : String(ahead));

/**
 * Says of a run that has not begun `waitMs` after it was queued that it waits, and for what; and again when that has
 * changed, at most once in `turnMs`. One run a call, the one of which nothing was said for the longest time: GitHub
 * limits what an app may write in a minute.
 */
export async function reportWaiting(engine: EngineContext, said: SaidOfRuns): Promise<void> {
  const { database, suspension, times, log } = engine;
  if (suspension.stopping) return;
  const { rows } = await database.pool.query<WaitingRow>(WAITING, [times.waitMs]);
  const ids = new Set(rows.map(({ id }) => id));
  for (const id of said.keys()) if (!ids.has(id)) said.delete(id);
  const now = performance.now();
  const [next] = rows
    .map((row) => ({ id: row.id, place: { ahead: row.ahead, held: heldBack(row) }, last: said.get(row.id) }))
    .filter(({ place, last }) => !last || (last.place !== shown(place) && now - last.at >= times.turnMs))
    .sort((one, other) => (one.last?.at ?? 0) - (other.last?.at ?? 0));
  if (next === undefined) return;
  const { id, place } = next;
  try {
    if (await report(engine, id, place)) said.set(id, { place: shown(place), at: now });
  } catch (error) {
    said.set(id, { place: undefined, at: now });
    log.warn({ run: id, error }, "could not report what the run waits for; it is tried again");
  }
}

/** While a waiting run has a claimant, that machine writes the run's comment, and nobody begins the run. */
const TAKE = `
  UPDATE magis.work SET claimant = $2 WHERE id = $1 AND state = 'waiting' AND claimant IS NULL RETURNING input`;

const LET_GO = "UPDATE magis.work SET claimant = NULL WHERE id = $1 AND claimant = $2 AND attempt = 0";

/** False when the run has begun or ended meanwhile. */
async function report(engine: EngineContext, id: string, place: Queued): Promise<boolean> {
  const { database, executor, handlers, onQueueChange } = engine;
  const { rows } = await database.pool.query<{ input: RunRequest }>(TAKE, [id, executor]);
  const [taken] = rows;
  if (taken === undefined) return false;
  try {
    await handlers.waits(taken.input, place);
  } finally {
    await patientQuery(database.pool, LET_GO, [id, executor], Number.POSITIVE_INFINITY);
    onQueueChange();
  }
  return true;
}

const REPORT_POLL_MS = 50;

const IN_REPORT = "SELECT FROM magis.work WHERE id = ANY($1) AND claimant IS NOT NULL AND attempt = 0 LIMIT 1";

/** Waits, at most `ms` milliseconds, until no machine writes any more that one of these cancelled runs waits. */
export async function awaitReports(pool: Pool, runs: readonly string[], ms: number): Promise<void> {
  const from = performance.now();
  while ((await patientQuery(pool, IN_REPORT, [runs])).rowCount !== 0 && performance.now() - from < ms)
    await delay(REPORT_POLL_MS);
}
