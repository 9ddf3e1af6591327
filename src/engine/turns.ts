import type { Pool } from "pg";
import { type HeldRow, heldBack } from "../model/limits.ts";
import type { RunRequest } from "../model/run-request.ts";
import type { Queued } from "../model/run-state.ts";
import type { Log } from "../ports/log.ts";
import type { RunHandlers } from "./engine.ts";
import type { Suspension } from "./suspension.ts";

const PLACE = `
  SELECT own.held_by, own.held_since, own.held_until,
         (SELECT count(*) FROM magis.work w
           WHERE w.kind = 'resolve' AND w.state IN ('waiting', 'working') AND w.queue = own.queue
             AND w.arrival < own.arrival)::int AS ahead
    FROM magis.work own WHERE own.id = $1`;

/** The runs of the same repository that work or wait before this one, and what holds it and them back. */
export async function placeOf(pool: Pool, run: string): Promise<Queued> {
  const { rows } = await pool.query<HeldRow & { readonly ahead: number }>(PLACE, [run]);
  return rows[0] ? { ahead: rows[0].ahead, held: heldBack(rows[0]) } : { ahead: 0 };
}

/** How many runs may be at work at once. */
export interface Places {
  /** on this machine; with 0 others do them */
  readonly concurrency: number;
  /** on all machines on this database; absent: as many as they take */
  readonly concurrencyOfAll?: number | undefined;
}

/** Counts repositories with a run at work, or with one that arrived before this run and that nothing holds back. */
const IS_CROWDED = `
  WITH before AS (
    SELECT bool_or(w.state = 'working') AS works
      FROM magis.work own JOIN magis.work w
        ON w.kind = 'resolve' AND (w.state = 'working' OR w.state = 'waiting' AND w.held_by IS NULL AND w.arrival < own.arrival)
     WHERE own.id = $1 GROUP BY w.queue)
  SELECT FROM before
  HAVING count(*) >= LEAST($3, CASE WHEN $2 > 0
    THEN $2 * (SELECT count(*) FROM magis.executor WHERE seen > now() - interval '1 minute')
    ELSE 1 + count(*) FILTER (WHERE works) END)`;

/**
 * Whether the runs before this one are likely to take all places; only a claim decides. All machines count as being as
 * large as this one. One that does no runs itself only sees that earlier ones wait.
 */
export async function isCrowded(pool: Pool, run: string, { concurrency, concurrencyOfAll }: Places): Promise<boolean> {
  const most = concurrencyOfAll ?? Number.MAX_SAFE_INTEGER;
  return (await pool.query(IS_CROWDED, [run, concurrency, most])).rowCount === 1;
}

/** A run that waits for its turn. */
export interface Turn extends Queued {
  readonly id: string;
}

/** A place as far as people see it. */
const shown = ({ ahead, held }: Queued) => (held ? `${held.by} ${held.until}` : String(ahead));

/** Corrections a minute over all runs: the bot has 140 writes a minute for everything. */
const MAX_A_MINUTE = 20;

const MINUTE_MS = 60_000;

/** The places that this machine has reported. */
export interface TurnBook {
  /**
   * Those whose place should be reported now, the one reported longest ago first; they count as reported from then.
   */
  due(waiting: readonly Turn[]): readonly Turn[];
  /** The place could not be reported; it is due again after the pause. */
  failed(run: string): void;
}

/**
 * Decides whose place is reported when: one that has changed since, or was never reported here, `pauseMs` milliseconds
 * after it was last reported or first seen, and `MAX_A_MINUTE` of all.
 * @param now a steady clock in milliseconds
 */
export function createTurnBook(pauseMs: number, now = () => performance.now()): TurnBook {
  const known = new Map<string, { readonly place: string | undefined; readonly at: number }>();
  let reported: readonly number[] = [];
  const at = (id: string) => known.get(id)?.at ?? Number.NEGATIVE_INFINITY;
  return {
    due(waiting) {
      const time = now();
      reported = reported.filter((one) => time - one < MINUTE_MS);
      const ids = new Set(waiting.map(({ id }) => id));
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
      for (const { id } of waiting) if (!known.has(id)) known.set(id, { place: undefined, at: time });
      const due = waiting
        .filter((turn) => known.get(turn.id)?.place !== shown(turn) && time - at(turn.id) >= pauseMs)
        .sort((one, other) => at(one.id) - at(other.id))
        .slice(0, MAX_A_MINUTE - reported.length);
      for (const turn of due) known.set(turn.id, { place: shown(turn), at: time });
      reported = [...reported, ...due.map(() => time)];
      return due;
    },
    failed(run) {
      known.set(run, { place: undefined, at: now() });
    },
  };
}

const WAITING = `
  SELECT id, ahead, input, held_by, held_since, held_until FROM (
    SELECT id, state, queue, input, held_by, held_since, held_until,
           (row_number() OVER (PARTITION BY queue ORDER BY arrival))::int - 1 AS ahead
      FROM magis.work WHERE kind = 'resolve' AND state IN ('waiting', 'working')) turns
   WHERE state = 'waiting' AND (SELECT min(id) FROM magis.executor WHERE id <> ALL($1)) = $2`;

interface WaitingRow extends HeldRow {
  readonly id: string;
  readonly ahead: number;
  readonly input: RunRequest;
}

export interface TurnOptions {
  readonly pool: Pool;
  readonly executor: string;
  readonly waits: NonNullable<RunHandlers["waits"]>;
  readonly pauseMs: number;
  readonly suspension: Suspension;
  readonly log: Log;
}

/**
 * Makes the function that corrects reported places where they have changed: on one machine, the first by its name of
 * those that are not `dead`.
 */
export function createTurnReports({ pool, executor, waits, pauseMs, suspension, log }: TurnOptions) {
  const book = createTurnBook(pauseMs);
  return async (dead: readonly string[]): Promise<void> => {
    const { rows } = await pool.query<WaitingRow>(WAITING, [dead, executor]);
    const requests = new Map(rows.map(({ id, input }) => [id, input]));
    const turns = rows.map((row) => ({ id: row.id, ahead: row.ahead, held: heldBack(row) }));
    for (const { id, ...place } of book.due(turns)) {
      if (suspension.stopping) return;
      const request = requests.get(id);
      await (request && waits(request, place, false))?.catch((error: unknown) => {
        book.failed(id);
        log.warn({ run: id, error }, "could not report what the run waits for; it is tried again");
      });
    }
  };
}
