import type { Pool } from "pg";
import { outageOf } from "../model/outage.ts";
import type { RunRequest } from "../model/run-request.ts";
import type { Log } from "../ports/log.ts";

/**
 * Milliseconds before each look for what an ended run left behind. By the last one, every request that was in flight
 * has ended: most fail after a minute, a push after ten, and another machine learns of a cancel by its heartbeat.
 */
const PAUSES_MS = [10_000, 50_000, 4 * 60_000, 15 * 60_000];

/** The pause before a look that an outage has kept from anything. */
const OUTAGE_MS = 60_000;

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
 * A look that is refused counts, so that a repository that is gone is given up; one in an outage does not.
 */
export function createSweeper(options: SweepOptions): () => Promise<void> {
  const { pool, isLeftToOthers, sweep, log, now = () => performance.now() } = options;
  const due = new Map<string, number>();

  return async () => {
    if (await isLeftToOthers()) return;
    const { rows } = await pool.query<{ run: string; request: RunRequest; looks: number }>(
      "SELECT run, request, looks FROM magis.swept_run ORDER BY since",
    );
    for (const run of due.keys()) if (!rows.some((row) => row.run === run)) due.delete(run);
    for (const { run, request, looks } of rows) {
      const at = due.get(run) ?? now() + (PAUSES_MS[looks] ?? 0);
      due.set(run, at);
      if (now() < at) continue;
      try {
        await sweep(request);
      } catch (error) {
        log.warn({ run, error }, "could not look for what an ended run left behind");
        if (outageOf(error)) {
          due.set(run, now() + OUTAGE_MS);
          continue;
        }
      }
      const next = PAUSES_MS[looks + 1];
      if (next === undefined) await pool.query("DELETE FROM magis.swept_run WHERE run = $1", [run]);
      else await pool.query("UPDATE magis.swept_run SET looks = looks + 1 WHERE run = $1", [run]);
      due.set(run, now() + (next ?? 0));
    }
  };
}
