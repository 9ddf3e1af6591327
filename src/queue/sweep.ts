import type { Pool } from "pg";
import type { Log } from "../data/log.ts";
import { outageOf } from "../data/outage.ts";
import type { RunRequest } from "../data/run-request.ts";

/**
 * Milliseconds before each sweep after an ended run. By the last one, every request that was in flight
 * has ended: most fail after a minute, a push after ten, and another machine learns of a cancel by its heartbeat.
 */
const PAUSES_MS = [10_000, 50_000, 4 * 60_000, 15 * 60_000];

/** The pause after a sweep that an outage has kept from anything. */
const OUTAGE_MS = 60_000;

/** Records a run that ended while its writes may have been in flight. */
export async function noteForSweep(pool: Pool, request: RunRequest): Promise<void> {
  const sql = "INSERT INTO magis.swept_run (run, request) VALUES ($1, $2) ON CONFLICT (run) DO NOTHING";
  await pool.query(sql, [request.id, JSON.stringify(request)]);
}

export interface Sweeps {
  pool: Pool;
  /** Takes back writes of a run that took effect after its end. */
  sweep: (request: RunRequest) => Promise<void>;
  log: Log;
  /** a steady clock in milliseconds */
  now: () => number;
  /** by run, when it is swept next */
  due: Map<string, number>;
}

/**
 * Sweeps up after ended runs, to find writes that took effect after the clean-up. A sweep that is refused counts, so
 * that a repository that is gone is given up; one in an outage does not.
 */
export async function sweepEndedRuns({ pool, sweep, log, now, due }: Sweeps): Promise<void> {
  const { rows } = await pool.query<{ run: string; request: RunRequest; looks: number }>(
    "SELECT run, request, looks FROM magis.swept_run ORDER BY since",
  );
  for (const run of due.keys()) if (!rows.some((row) => row.run === run)) due.delete(run);
  for (const { run, request, looks: done } of rows) {
    const at = due.get(run) ?? now() + (PAUSES_MS[done] ?? 0);
    due.set(run, at);
    if (now() < at) continue;
    try {
      await sweep(request);
    } catch (error) {
      log.warn({ run, error }, "could not sweep up what an ended run left behind");
      if (outageOf(error)) {
        due.set(run, now() + OUTAGE_MS);
        continue;
      }
    }
    const next = PAUSES_MS[done + 1];
    if (next === undefined) await pool.query("DELETE FROM magis.swept_run WHERE run = $1", [run]);
    else await pool.query("UPDATE magis.swept_run SET looks = looks + 1 WHERE run = $1", [run]);
    due.set(run, now() + (next ?? 0));
  }
}
