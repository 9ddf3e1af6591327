import type { Pool } from "pg";
import type { RunRequest } from "../model/run-request.ts";
import type { Log } from "../ports/log.ts";

/**
 * Milliseconds before each look for what an ended run left behind. By the last one, every request that was in flight
 * has ended: most fail after a minute, a push after ten, and another machine learns of a cancel by its heartbeat.
 */
const PAUSES_MS = [10_000, 60_000, 5 * 60_000, 20 * 60_000];

/** Records a run that ended while its writes may have been in flight. */
export async function noteForSweep(pool: Pool, request: RunRequest): Promise<void> {
  const sql = "INSERT INTO magis.swept_run (run, request) VALUES ($1, $2) ON CONFLICT (run) DO NOTHING";
  await pool.query(sql, [request.id, JSON.stringify(request)]);
}

export interface SweepOptions {
  readonly pool: Pool;
  /** whether another machine sweeps */
  readonly isLeftToOthers: () => Promise<boolean>;
  /** Takes back writes of a run that took effect after its end. */
  readonly sweep: (request: RunRequest) => Promise<void>;
  readonly log: Log;
  /** a steady clock in milliseconds */
  readonly now?: () => number;
}

/**
 * Makes the function that does one round of looks at ended runs, to find writes that took effect after the clean-up.
 * The pauses begin again after a restart.
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
        log.warn({ run, error }, "could not look for what an ended run left behind; it is tried again");
      }
    }
  };
}
