import type { Pool } from "pg";
import type { RunRequest } from "../model/run-request.ts";
import type { Log } from "../ports/log.ts";

/**
 * Milliseconds to each look after what an ended run may have left. The last request that was under way when it ended has
 * taken effect by then: they fail after a minute, a push after ten, and another machine hears of a cancel by its heartbeat.
 */
const PAUSES_MS = [10_000, 60_000, 5 * 60_000, 20 * 60_000];

/** Notes a run that has ended while writes of it may have been under way. */
export async function noteForSweep(pool: Pool, request: RunRequest): Promise<void> {
  const sql = "INSERT INTO magis.swept_run (run, request) VALUES ($1, $2) ON CONFLICT (run) DO NOTHING";
  await pool.query(sql, [request.id, JSON.stringify(request)]);
}

export interface SweepOptions {
  readonly pool: Pool;
  /** whether another machine sweeps in this one's place */
  readonly isLeftToOthers: () => Promise<boolean>;
  /** Takes back what has come of a run since it ended. */
  readonly sweep: (request: RunRequest) => Promise<void>;
  readonly log: Log;
  /** a steady clock in milliseconds */
  readonly now?: () => number;
}

/**
 * Makes one round of looking after ended runs: a write that takes effect when all is cleaned up already is found by one of
 * the looks. Times are counted anew after a start.
 */
export function createSweeper(options: SweepOptions): () => Promise<void> {
  const { pool, isLeftToOthers, sweep, log, now = () => performance.now() } = options;
  const seen = new Map<string, { readonly since: number; looks: number }>();

  return async () => {
    if (await isLeftToOthers()) return;
    const { rows } = await pool.query<{ run: string; request: RunRequest }>(
      "SELECT run, request FROM magis.swept_run ORDER BY since",
    );
    for (const run of seen.keys()) if (!rows.some((row) => row.run === run)) seen.delete(run);
    for (const { run, request } of rows) {
      const state = seen.get(run) ?? { since: now(), looks: 0 };
      seen.set(run, state);
      if (now() - state.since < (PAUSES_MS[state.looks] ?? 0)) continue;
      try {
        await sweep(request);
        state.looks += 1;
        if (state.looks < PAUSES_MS.length) continue;
        await pool.query("DELETE FROM magis.swept_run WHERE run = $1", [run]);
      } catch (error) {
        log.warn({ run, error }, "what an ended run may have left could not be looked for; it is tried again");
      }
    }
  };
}
